from __future__ import annotations

import pickle
import time
from collections import Counter
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.align.sentences import (
    align_corpus,
    align_sentences,
    aligner_of,
    alignment_of,
    learned_lexicon,
    path_choice,
)
from bitext.align.sentences import (
    state as path_search,
)
from bitext.align.sentences.aligner import SentenceAligner, explain_bead
from bitext.align.sentences.bead_types import starts
from bitext.align.sentences.options import SENTENCE_METHODS, SentenceOptions
from bitext.align.sentences.search import SearchLimits
from bitext.align.sentences.state import find_path
from bitext.errors import InputError, OptionError
from bitext.model import Text

METHODS = [name for name, method in SENTENCE_METHODS.items() if not method.vectors]


@cache  # some tests have the same text
def made(seed, sentences):
    """Return a text in a made-up language, its translation, and the beads of both."""
    rng = np.random.default_rng(seed)
    letters = list("abcdefghijklmnopqrstuvwxyz")
    words = ["".join(rng.choice(letters, rng.integers(3, 9))) for _ in range(300)]
    others = ["".join(rng.choice(letters, rng.integers(5, 12))) for _ in range(300)]
    often = 1 / (np.arange(300) + 10)
    src, tgt, beads = [], [], []
    while len(src) < sentences:
        a, b = [(1, 1), (2, 1), (1, 2), (1, 0), (0, 1)][
            rng.choice(5, p=[0.82, 0.07, 0.07, 0.02, 0.02])
        ]
        picks = rng.choice(300, int(rng.integers(5, 15)) * max(a, b), p=often / often.sum())
        for side, count, forms in ((src, a, words), (tgt, b, others)):
            for part in np.array_split(
                rng.permutation(picks) if forms is others else picks, max(count, 1)
            ):
                if count:
                    side.append(" ".join(forms[k] for k in part) + ".")
        beads.append((tuple(range(len(src) - a, len(src))), tuple(range(len(tgt) - b, len(tgt)))))
    return Text(src), Text(tgt), beads


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=10)
@given(
    st.lists(st.text(max_size=30), max_size=6),
    st.lists(st.text(max_size=30), max_size=6),
)
def test_every_sentence_is_in_one_bead(method, src, tgt):
    found = align_sentences(Text(src), Text(tgt), method=method)
    assert found.src.idx.tolist() == list(range(len(src)))
    assert found.tgt.idx.tolist() == list(range(len(tgt)))
    assert ((found.scores >= 0) & (found.scores <= 1)).all()
    again = align_sentences(Text(src), Text(tgt), method=method)
    assert list(again) == list(found)
    assert again.scores.tolist() == found.scores.tolist()


def test_beads_are_found_by_their_words():
    src, tgt, beads = made(1, 300)
    found = set(align_sentences(src, tgt))
    assert len(found & set(beads)) / len(beads) > 0.93
    by_length = set(align_sentences(src, tgt, method="length-characters"))
    assert len(by_length & set(beads)) < len(found & set(beads))


@pytest.mark.parametrize("method", METHODS)
def test_scores_are_tempered_and_paths_are_not(method, monkeypatch):
    src, tgt, _ = made(7, 100)
    tempered = align_sentences(src, tgt, method=method)
    monkeypatch.setitem(SENTENCE_METHODS, method, SENTENCE_METHODS[method]._replace(temper=1.0))
    bare = align_sentences(src, tgt, method=method)
    assert tempered == bare
    assert tempered.scores.mean() < bare.scores.mean() - 0.001
    assert ((tempered.scores >= 0) & (tempered.scores <= 1)).all()


def test_scores_tell_right_from_wrong():
    src, tgt, beads = made(2, 300)
    found = align_sentences(src, tgt, method="length-characters")
    right = np.array([bead in set(beads) for bead in found])
    assert 0 < right.sum() < len(right)
    assert found.scores[right].mean() > found.scores[~right].mean() + 0.02


@pytest.mark.parametrize("method", METHODS)
def test_a_text_and_itself(method):
    src, _, _ = made(3, 150)
    assert align_sentences(src, src, method=method).bead_types() == {"1-1": len(src)}


def test_a_much_shorter_script():
    src, tgt, beads = made(4, 200)
    short = Text([sentence[: max(1, len(sentence) // 4)] for sentence in tgt.segments()])
    found = align_sentences(src, short, method="length-characters")
    assert len(set(found) & set(beads)) / len(beads) > 0.5


@pytest.mark.parametrize("method", METHODS)
def test_an_empty_side(method):
    text = Text(["One.", "Two."])
    assert align_sentences(text, Text([]), method=method).bead_types() == {"1-0": 2}
    assert align_sentences(Text([]), text, method=method).bead_types() == {"0-1": 2}
    assert len(align_sentences(Text([]), Text([]), method=method)) == 0


@pytest.mark.parametrize("method", METHODS)
def test_one_sentence_against_hundreds(method):
    many = Text([f"This is sentence {k}." for k in range(400)])
    found = align_sentences(Text(["This is sentence 200."]), many, method=method)
    assert found.tgt.idx.tolist() == list(range(400))
    turned = align_sentences(many, Text(["This is sentence 200."]), method=method)
    assert turned.src.idx.tolist() == list(range(400))


def test_texts_in_the_wrong_order_of_languages_align_as_well():
    src, tgt, beads = made(5, 150)
    turned = {(t, s) for s, t in beads}
    assert len(set(align_sentences(tgt, src)) & turned) / len(turned) > 0.9


@pytest.mark.parametrize("method", METHODS)
def test_which_text_is_the_source_does_not_count(method):
    src, tgt, _ = made(12, 120)
    there = {(bead.src, bead.tgt) for bead in align_sentences(src, tgt, method=method)}
    back = {(bead.tgt, bead.src) for bead in align_sentences(tgt, src, method=method)}
    assert there == back


def test_a_text_with_a_third_left_out_is_not_smeared():
    """Of 200 sentences with names every third is gone on one side: what is left is found."""
    rng = np.random.default_rng(6)
    names = ["".join(rng.choice(list("bdgklmnprst"), 6)).title() for _ in range(200)]
    filler = [" ".join(["some words"] * int(k)) for k in rng.integers(1, 9, 200)]
    src = [f"{name} has {rest}." for name, rest in zip(names, filler, strict=True)]
    tgt = [f"Es gibt {rest} von {name}." for name, rest in zip(names, filler, strict=True)]
    kept = [k for k in range(200) if k % 3]
    found = align_sentences(Text(src), Text([tgt[k] for k in kept]), method="lexical")
    pairs = {(bead.src, bead.tgt) for bead in found}
    right = [((k,), (at,)) in pairs for at, k in enumerate(kept)]
    assert np.mean(right) > 0.95


@cache
def _thinned(share, count=160, seed=2):
    """Return sentences of a word or two in two languages, some left out on each side at random."""
    rng = np.random.default_rng(seed)
    words, many = rng.integers(0, 500, (count, 6)), rng.integers(1, 7, count)
    letters, found = np.array(list("abdegiklmnoprstu")), []
    for _ in range(2):
        form = ["".join(rng.choice(letters, rng.integers(2, 9))) for _ in range(500)]
        kept = np.flatnonzero(rng.random(count) >= share).tolist()
        found.append((Text([" ".join(form[w] for w in words[k, : many[k]]) for k in kept]), kept))
    return found


@pytest.mark.parametrize("method", ["lexical", "length-characters"])
@pytest.mark.parametrize("share", [0.0, 0.12])
def test_much_is_held_to_be_left_out_where_that_scores_better(share, method, monkeypatch):
    (src, rows), (tgt, columns) = _thinned(share)

    def right():
        aligner = aligner_of([(src, tgt)], method=method)
        aligner.run()
        found = alignment_of(aligner, 0)
        pairs = [(rows[b.src[0]], columns[b.tgt[0]]) for b in found if b.type == "1-1"]
        return sum(a == b for a, b in pairs) / len(set(rows) & set(columns))

    chosen = right()
    usual, other = starts(SentenceOptions().kinds)
    monkeypatch.setattr(path_choice, "starts", lambda *_: [usual, usual])
    assert right() < chosen - 0.05 if share else right() == chosen == 1.0
    monkeypatch.setattr(path_choice, "starts", lambda *_: [other, other])
    assert right() == chosen if share else right() <= chosen


def _aligner(pairs, options=None, **fields):
    """Return an aligner with other fields of its task."""
    return SentenceAligner(replace(aligner_of(pairs, **(options or {})).task, **fields))


def test_of_a_corpus_a_part_tells_where_to_start_from(monkeypatch):
    texts = [tuple(text for text, _ in _thinned(0.12, 30, seed)) for seed in range(6)]

    def started(order):
        asked = Counter()

        def noted(task, state, k, **how):
            asked.update([order[k]])
            return find_path(task, state, k, **how)

        monkeypatch.setattr(path_search, "find_path", noted)
        _aligner([texts[k] for k in order], {"rounds": 2}, compared=70).run()
        return asked

    asked = started([*range(6)])
    # From each of three starts; what was looked at is not looked at again in the first round.
    assert sorted(asked.values()) == [2, 2, 2, 4, 4, 4]
    assert started([5, 2, 0, 4, 1, 3]) == asked


@pytest.mark.parametrize("method", ["lexical", "length-characters"])
def test_the_order_of_the_texts_of_a_corpus_does_not_count(method):
    made = [tuple(text for text, _ in _thinned(0.05, 24, seed)) for seed in range(8)]
    for rare in (1, 4, 6):  # half of their sentences are left
        src, tgt = made[rare]
        made[rare] = src, Text([*tgt.segments()][::2])

    def aligned(pairs):
        aligner = _aligner(pairs, {"method": method}, compared=42)
        aligner.run()
        return [alignment_of(aligner, k) for k in range(len(pairs))]

    found, order = aligned(made), [4, 1, 6, 0, 7, 3, 5, 2]
    for k, other in zip(order, aligned([made[k] for k in order]), strict=True):
        assert list(other) == list(found[k])


def test_each_text_that_may_be_of_a_rare_kind_is_looked_at(monkeypatch):
    made = [tuple(text for text, _ in _thinned(0.0, 30, seed)) for seed in range(9)]
    rare = {2, 3, 7}
    for k in rare:
        src, tgt = made[k]
        made[k] = src, Text([*tgt.segments()][::2])
    looked = []
    first = path_choice.abridged_space
    monkeypatch.setattr(
        path_choice, "abridged_space", lambda pair, *a: looked.append(pair) or first(pair, *a)
    )
    aligner = _aligner(made, compared=30)
    aligner.run()
    assert rare <= {k for k in range(9) if aligner.pairs[k] in looked}


def test_where_paths_do_not_settle_there_are_more_rounds():
    texts = [tuple(text for text, _ in _thinned(0.12, 25, seed)) for seed in range(3)]
    told = []

    def rounds(share, **options):
        told.clear()
        aligner = aligner_of(texts, **options)
        aligner.run(progress=lambda done, total: told.append((done, total)), unsettled=share)
        assert told[-1][0] == told[-1][1] == len(told)
        return len(told) // len(texts)

    for share, wanted in ((2.0, 3), (-1.0, 8)):
        assert rounds(share) == wanted
        assert rounds(share, method="length-words") == 3
    assert rounds(share, rounds=2) == 2  # one path has not changed
    assert rounds(share, rounds=1) == 1
    assert rounds(share, rounds=4) == 9


def test_huge_sentences_and_control_characters():
    src, tgt, beads = made(6, 40)
    huge = " ".join(f"word{k % 3000}" for k in range(120_000))
    odd = ["\x00\x01", "\u202e\ufeff", "\t", huge]
    begun = time.process_time()
    found = align_sentences(Text([*src.segments(), *odd]), Text([*tgt.segments(), *odd]))
    assert time.process_time() - begun < 10
    assert found.src.idx.tolist() == list(range(len(src) + 4))
    assert np.isfinite(found.scores).all()
    assert len(set(found) & set(beads)) / len(beads) > 0.5


def test_ids_alone_are_told():
    with pytest.raises(InputError, match="source text a is known by ids only"):
        align_sentences(Text.of_ids(["1"], name="a"), Text(["x"]))


def test_only_beads_that_are_asked_for():
    src, tgt, _ = made(7, 100)
    assert set(align_sentences(src, tgt, beads="2-1").bead_types()) <= {"1-1", "1-0", "0-1", "2-1"}
    assert set(align_sentences(src, tgt, beads="max 1-1").bead_types()) <= {"1-1", "1-0", "0-1"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "lexicl"}, "did you mean 'lexical'"),
        ({"round": 2}, "there is no option 'round': did you mean 'rounds'"),
        ({"rounds": 0}, "rounds is 0: want 1 to 10"),
        ({"word_weight": float("nan")}, "word_weight is nan"),
        ({"rounds": 1.5}, "rounds is 1.5: want a whole number, 1 to 10"),
        ({"steps": "3"}, "steps is '3': want a whole number, 1 to 20"),
        ({"word_weight": None}, "word_weight is None: want a number, 0 to 2"),
        ({"beads": "x"}, "the beads are 'x'"),
        ({"beads": 5}, "the beads are 5: want pairs of whole numbers"),
        ({"beads": [(1,)]}, r"the beads are \[\(1,\)\]: want pairs of whole numbers"),
        ({"beads": [(1.9, 2.9)]}, "want pairs of whole numbers"),
    ],
)
def test_options_that_are_not_allowed(options, message):
    with pytest.raises(OptionError, match=message):
        align_sentences(Text(["a"]), Text(["b"]), **options)


def test_a_method_of_vectors_wants_them():
    with pytest.raises(InputError, match="vectors"):
        align_sentences(Text(["a"]), Text(["b"]), method="embedding")


def test_options_given_twice():
    held = SentenceOptions(rounds=1, beads="2-1")
    assert aligner_of([], options=held, rounds=2).task.options == SentenceOptions(
        rounds=2, beads="2-1"
    )


def test_a_corpus_is_aligned_together():
    parts = [made(8, 60)[:2] for _ in range(2)]
    calls = []
    found = align_corpus(parts, progress=lambda *done: calls.append(done))
    assert len(found) == 2
    assert calls[-1] == (calls[-1][1], calls[-1][1])
    assert list(found[0]) == list(found[1])
    assert align_corpus([]) == []


def test_beads_are_as_frequent_in_a_text_of_a_corpus_as_they_are_there():
    """Of four texts one is abridged: what stands alone there does not in the others."""
    rng = np.random.default_rng(7)
    src, tgt, beads = made(8, 90)
    gone = {k for bead, _ in beads for k in bead if rng.random() < 0.4}
    left = [k for k in range(len(src)) if k not in gone]
    at = {k: place for place, k in enumerate(left)}
    gold = {(tuple(at[k] for k in a if k in at), b) for a, b in beads}
    sentences = list(src.segments())
    aligner = aligner_of([*[(src, tgt)] * 3, (Text([sentences[k] for k in left]), tgt)])
    aligner.run()
    found = alignment_of(aligner, 3)
    assert np.mean([(bead.src, bead.tgt) in gold for bead in found]) > 0.85
    kind = aligner.beads.index((0, 1))
    abridged, whole = aligner.priors(3)[kind], aligner.priors(0)[kind]
    assert whole < aligner.state.priors[kind] < abridged
    alone = next(k for k, bead in enumerate(found) if bead.type == "0-1")
    assert explain_bead(aligner, alone, text=3).prior == pytest.approx(np.log(abridged))


def test_nothing_is_learned_before_texts_are_aligned():
    with pytest.raises(InputError, match="before the texts are aligned: run the aligner"):
        learned_lexicon(aligner_of([(Text(["a"]), Text(["b"]))]))
    with pytest.raises(InputError, match="the aligner is None: want a SentenceAligner"):
        learned_lexicon(None)


def test_lengths_alone_learn_no_lexicon():
    aligner = aligner_of([(Text(["a"]), Text(["b"]))], method="poisson")
    aligner.run()
    with pytest.raises(InputError, match="no lexicon is learned by this method"):
        learned_lexicon(aligner)


def elsewhere(work, numbers):
    """Do work in the wrong order, and give back copies of what it made."""
    numbers = list(numbers)
    done = {k: pickle.dumps(work(k)) for k in reversed(numbers)}
    return (pickle.loads(done[k]) for k in numbers)


def test_the_rounds_may_be_done_elsewhere():
    pairs = [made(seed, size)[:2] for seed, size in ((0, 60), (1, 90), (2, 70))]
    asked = []

    def noted(work, numbers):
        found = list(elsewhere(work, numbers))
        asked.append([[int(one.path.row[-1]) for one in group] for group in found])
        return found

    here, there = aligner_of(pairs), aligner_of(pairs, each=elsewhere)
    here.run(unsettled=1.0)
    there.run(each=noted, unsettled=1.0)
    # Those that take longest are begun first; the first round is from the best of three starts.
    sizes = [[len(pairs[k][0])] for k in (1, 2, 0)]
    assert asked == [sizes] * (there.task.options.rounds + 2)
    for k in range(len(pairs)):
        assert here.paths[k].row.tolist() == there.paths[k].row.tolist()
        assert here.posteriors(k).tolist() == there.posteriors(k).tolist()
    assert list(learned_lexicon(here).lines()) == list(learned_lexicon(there).lines())


def test_parts_of_one_long_text_may_be_done_elsewhere():
    limits = SearchLimits(stretch=100, about=20, narrow=8)
    pairs = [made(3, 530)[:2], made(4, 40)[:2]]
    asked = []

    def noted(work, numbers):
        asked.append(len(list(numbers)))
        return elsewhere(work, numbers)

    here, there = _aligner(pairs, limits=limits), _aligner(pairs, limits=limits)
    here.run()
    there.run(each=noted)
    assert max(asked) >= 4
    assert here.space(0).corridor.cells < len(pairs[0][0]) * len(pairs[0][1])
    for k in range(2):
        assert here.paths[k].row.tolist() == there.paths[k].row.tolist()
        assert here.paths[k].kinds.tolist() == there.paths[k].kinds.tolist()
        assert here.posteriors(k).tolist() == there.posteriors(k).tolist()


def test_texts_may_be_lists_of_sentences():
    src, tgt = ["It rained.", "Nobody came."], ["Es regnete.", "Niemand kam."]
    assert align_sentences(src, tuple(tgt)) == align_sentences(Text(src), Text(tgt))
    for wrong in ("It rained.", [1, 2], 5, [["It rained."]]):
        with pytest.raises(InputError, match="as a Text or a sequence of its sentences"):
            align_sentences(wrong, tgt)
        with pytest.raises(InputError, match="as a Text or a sequence of its sentences"):
            aligner_of([(src, wrong)])
