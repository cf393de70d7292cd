"""What texts teach together: as if they had been learned from at once, and the same from a file."""

from __future__ import annotations

import json
import random
from base64 import b64decode
from dataclasses import replace

import numpy as np
import pytest

from bitext.align.sentences import align_sentences, aligner_of, alignment_of
from bitext.align.sentences.corpus import (
    CorpusStatistics,
    CorpusWords,
    pretrained_aligner,
    taught_aligner,
    taught_path,
    teacher_of,
    text_statistics,
)
from bitext.align.sentences.knowledge import (
    LexiconIndex,
    beads_as_text,
    knowledge_of_lines,
    path_of_text,
)
from bitext.align.sentences.lexical import Vocabulary
from bitext.align.sentences.lexical.lexicon import Lexicon
from bitext.align.sentences.options import SentenceOptions, named
from bitext.align.sentences.state import estimate
from bitext.align.sentences.texts import SentencePair
from bitext.errors import FormatError
from bitext.jobs.align_task import Recipe
from bitext.kernels.bead_path import BeadPath
from bitext.model import Text

WORDS = [f"{a}{b}" for a in "bdfgklmnprst" for b in ("ora", "iku", "ema")]


def made(seed, count=30):
    """A text of made words and its translation: each word has one, some sentences are joined."""
    chance = random.Random(seed)
    src, tgt = [], []
    for _ in range(count):
        words = [chance.choice(WORDS) for _ in range(chance.randint(3, 9))]
        src.append(" ".join(words) + ".")
        other = " ".join(word[::-1] + "x" for word in words) + "!"
        if chance.random() < 0.15 and tgt:
            tgt[-1] += " " + other
        else:
            tgt.append(other)
    return Text(src), Text(tgt)


def learned(texts, method="lexical", **options):
    chosen = SentenceOptions(**options)
    learner = CorpusStatistics(method, named(method), chosen)
    for src, tgt in texts:
        aligner = aligner_of([(src, tgt)], method=method, options=chosen, rounds=1)
        aligner.run()
        learner.add(json.loads(json.dumps(text_statistics(aligner))))
    return learner.learned()


def taught(src, tgt, known, method="lexical", **more):
    aligner = pretrained_aligner(
        SentencePair(src, tgt), named(method), SentenceOptions(), known=known,
        lexicon=LexiconIndex(known.lexicon), **more,
    )  # fmt: skip
    aligner.run()
    return aligner


def test_lengths_and_beads_are_those_of_a_corpus_that_is_held():
    texts = [made(k) for k in range(4)]
    known = learned(texts)
    one = aligner_of([texts[0]], rounds=1)
    one.run()
    taught = estimate(one.task, one.state)
    alone = learned(texts[:1])
    np.testing.assert_allclose(alone.chances(one.beads), taught.priors)
    for mine, wanted in zip(alone.lengths[:4], taught.lengths[:4], strict=True):
        np.testing.assert_allclose(mine, wanted)
    assert sum(known.beads.values()) > 100
    assert known.words[0].sentences == sum(len(src) for src, _ in texts)
    assert known.words[0].counts["bora"][0] == sum(
        sentence.split().count("bora") + sentence.count("bora.")
        for src, _ in texts
        for sentence in src.segments()
    )


def test_a_text_is_aligned_better_with_what_others_teach():
    known = learned([made(k) for k in range(8)])
    src, tgt = made(99, count=6)
    found = taught(src, tgt, known)
    beads = [(list(bead.src), list(bead.tgt)) for bead in alignment_of(found, 0)]
    sure = found.posteriors(0).mean()
    assert sure > align_sentences(src, tgt).scores.mean()
    assert [s for src_side, _ in beads for s in src_side] == list(range(6))
    pairs = zip(known.lexicon.pairs.src.tolist(), known.lexicon.pairs.tgt.tolist(), strict=True)
    forms = known.lexicon.src.forms, known.lexicon.tgt.forms
    best = {(forms[0][x], forms[1][y]) for x, y in pairs}
    assert {("bora", "arobx"), ("tema", "ametx")} <= best


def test_a_text_without_any_word_is_learned_from_with_others():
    texts = [made(0), (Text([""] * 30), made(1)[1]), made(2)]
    known = learned(texts)
    assert known.words[0].sentences == sum(len(src) for src, _ in texts)
    for src, tgt in texts:
        found = alignment_of(taught(src, tgt, known), 0)
        assert sum(len(bead.src) for bead in found) == len(src)


def test_a_file_holds_all_that_is_known():
    known = learned([made(k) for k in range(3)], beads="max 3-3")
    lines = [f"{line}\n" for line in known.lines()]
    lexicon, back = knowledge_of_lines(lines)
    assert list(map("{}\n".format, back.lines())) == lines
    assert (back.lengths, back.beads, back.method) == (known.lengths, known.beads, "lexical")
    assert list(Lexicon.of_lines(lines).lines()) == list(lexicon.lines())
    src, tgt = made(50)
    one, other = taught(src, tgt, back), taught(src, tgt, knowledge_of_lines(lines)[1])
    assert alignment_of(one, 0) == alignment_of(other, 0)
    only = [line for line in lines if not line.startswith("\t\t")]
    assert knowledge_of_lines(only)[1] is None


@pytest.mark.parametrize(
    "line",
    ["\t\tlengths\t1.0\t2.0\t3.0", "\t\tlengths\t1\t-1\t1\t1\t1\t1", "\t\tbead\t1-0-1\t3",
     "\t\tlengths\t1\t2\tnan\t1\t1\t1", "\t\tlengths\t1\t2\t1\tinf\t1\t1",
     "\t\tbead\t1-1\t-3", "\t\tsource\t-10\t5", "\t\ttarget word\ta\t1\t-1",
     "\t\tpath\tx\t1-1", f"\t\tpath\t{'a' * 32}\t1-1*", f"\t\tpath\t{'a' * 32}\t1-1 ",
     f"\t\tpath\t{'a' * 32}\t1-1,1-1", f"\t\tpath\t{'a' * 32}",
     "\t\tbead\t0-7\t3", "\t\tother\t3", "\t\tsource word\ta\t1", "\t\ttarget\t1\tx"],
)  # fmt: skip
def test_a_line_that_was_changed_is_told(line):
    with pytest.raises(FormatError, match=r"^the lexicon line 2: want what --save-lexicon of"):
        knowledge_of_lines(["a\tb\t0.5\t0.5\n", f"{line}\n"])


def test_the_index_gives_what_the_lexicon_gives():
    known = learned([made(k) for k in range(3)])
    index = LexiconIndex(known.lexicon)
    for seed in range(4):
        chance = random.Random(seed)
        src = Vocabulary([*chance.sample(WORDS, 9), "none"])
        tgt = Vocabulary([word[::-1] + "x" for word in chance.sample(WORDS, 20)])
        mine, wanted = index.onto(src, tgt), known.lexicon.onto(src, tgt)
        for one, other in zip(mine, wanted, strict=True):
            assert one.tolist() == other.tolist()


@pytest.mark.parametrize("method", ["length-characters", "length-words", "poisson"])
def test_lengths_alone_are_learned_too(method):
    known = learned([made(k) for k in range(3)], method)
    assert (len(known.lexicon), known.words[0].counts) == (0, {})
    src, tgt = made(70)
    found = alignment_of(taught(src, tgt, known, method), 0)
    assert found.src.lengths.sum() == len(src)
    assert found.tgt.lengths.sum() == len(tgt)


def test_an_empty_side_teaches_nothing_and_is_aligned():
    known = learned([(Text([]), Text(["one"])), (Text([]), Text([])), made(1)])
    found = taught(Text(["a b", "c"]), Text([]), known)
    assert [bead.type for bead in alignment_of(found, 0)] == ["1-0", "1-0"]
    assert len(alignment_of(taught(Text([]), Text([]), learned([])), 0)) == 0


def test_a_long_text_teaches_as_much_as_is_held():
    src, tgt = made(3, count=60)
    aligner = aligner_of([(src, tgt)], rounds=1)
    aligner.run()
    whole = text_statistics(aligner)
    some = text_statistics(aligner, most=20)
    assert some["beads"] == whole["beads"]
    assert some["src"]["counts"] == whole["src"]["counts"]
    assert 10 < len(some["lengths"][0]) <= 20 < len(whole["lengths"][0])
    assert len(some["src"]["sizes"]) == len(some["tgt"]["sizes"]) == len(some["lengths"][0])


def test_a_large_table_is_looked_at_without_the_lexicon_first():
    known = learned([made(k) for k in range(4)])
    src, tgt = made(77)
    small = taught(src, tgt, known)
    large = taught(src, tgt, known, small=3)
    assert alignment_of(large, 0) == alignment_of(small, 0)
    np.testing.assert_allclose(large.posteriors(0), small.posteriors(0))


def shortened(text, kept):
    sentences = list(text.segments())
    return Text([sentences[k] for k in kept])


@pytest.mark.parametrize("kind", ["abridged", "excerpt"])
def test_a_text_may_have_less_than_what_was_learned_from(kind):
    """Half of the source is left out, or all but a part of it: what is left is found."""
    known = learned([made(k, count=60) for k in range(6)])
    src, tgt = made(77, count=60)
    whole = {bead.src: bead.tgt for bead in alignment_of(taught(src, tgt, known), 0)}
    chance = random.Random(3)
    kept = [k for k in range(60) if chance.random() < 0.5] if kind == "abridged" else range(20, 32)
    found = alignment_of(aligner := taught(shortened(src, kept), tgt, known), 0)
    at = {(place,): (k,) for place, k in enumerate(kept)}
    right = [bead.tgt == whole[at[bead.src]] for bead in found if at.get(bead.src) in whole]
    assert len(right) > 0.6 * len(kept)
    assert np.mean(right) > 0.9
    alone = aligner.beads.index((0, 1))
    assert aligner.priors(0)[alone] > 5 * known.chances(aligner.beads)[alone]


def test_a_text_of_a_rare_kind_teaches_as_such():
    """In one round, too, an excerpt is taken for one: else its words would teach what is wrong."""
    src, tgt = made(78, count=60)
    aligner = aligner_of([(shortened(src, range(20, 32)), tgt)], rounds=1)
    aligner.run()
    lesson = text_statistics(aligner)
    assert lesson["beads"]["1-1"] > 8
    assert lesson["beads"]["0-1"] == 32 < np.count_nonzero(aligner.paths[0].kinds == 2)


TYPES = [(1, 1), (1, 0), (0, 1), (2, 1), (1, 2), (3, 3)]


@pytest.mark.parametrize("seed", range(20))
def test_a_path_is_read_as_it_was_written(seed):
    chance = np.random.default_rng(seed)
    kinds = chance.choice(len(TYPES), size=chance.integers(1, 60), p=[0.5, 0.1, 0.1, 0.1, 0.1, 0.1])
    ends = np.cumsum(np.array(TYPES)[kinds], axis=0)
    path, sizes = BeadPath(0, kinds, ends[:, 0], ends[:, 1], 0.5), tuple(ends[-1].tolist())
    text = beads_as_text(TYPES, path)
    others = TYPES[::-1]
    back = path_of_text(text, others, sizes)
    assert [others[k] for k in back.kinds] == [TYPES[k] for k in kinds]
    assert (back.row.tolist(), back.column.tolist()) == (ends[:, 0].tolist(), ends[:, 1].tolist())
    assert path_of_text(text, others, (sizes[0] + 1, sizes[1])) is None
    assert path_of_text(f"{text} 4-1", others, (sizes[0] + 4, sizes[1] + 1)) is None


def test_a_text_is_known_by_what_it_says():
    def digest(src, tgt, **more):
        return SentencePair(Text(src, **more), Text(tgt)).digest

    first = digest(["a b", "c"], ["d"])
    assert first == digest(["a b", "c"], ["d"], name="other")
    others = [
        (["a", "b c"], ["d"]),
        (["a b", "c", "d"], []),
        (["a b c"], ["d"]),
        (["A b", "c"], ["d"]),
    ]
    assert len({first, *(digest(*sides) for sides in others)}) == 1 + len(others)


def learned_together(texts):
    aligner = aligner_of(texts)
    aligner.run()
    learner = CorpusStatistics("lexical", named("lexical"), SentenceOptions())
    learner.add(json.loads(json.dumps(text_statistics(aligner))))
    return learner.learned()


def test_a_text_that_was_learned_from_is_aligned_from_the_path_it_had():
    texts = [made(k) for k in range(6)]
    texts.append(texts[2])
    known = learned_together(texts)
    assert len(known.paths) == 6
    _, known = knowledge_of_lines(known.lines())
    for src, tgt in texts:
        aligner = pretrained_aligner(
            SentencePair(src, tgt), named("lexical"), SentenceOptions(), known=known,
            lexicon=LexiconIndex(known.lexicon),
        )  # fmt: skip
        first = aligner.task.pretrained.path
        assert beads_as_text(aligner.beads, first) == known.paths[aligner.pairs[0].digest]
        aligner.run()
        found = alignment_of(aligner, 0)
        assert found.scores.min() > 0
        assert found == alignment_of(taught(src, tgt, replace(known, paths={})), 0)
    # The round that is spared is the first one: a path that is far off is where it begins.
    src, tgt = texts[0]
    pair = SentencePair(src, tgt)
    odd = f"1-0*{len(src)} 0-1*{len(tgt)}"
    misled = replace(known, paths={pair.digest: odd})
    assert taught(src, tgt, misled).task.pretrained.path.kinds.size == len(src) + len(tgt)


def test_the_last_round_is_that_of_the_text_by_itself_but_for_similar_words():
    texts = [made(k) for k in range(6)]
    # A name of both sides and a word of one side occur once: the first alone is in the file.
    texts.append((Text([*made(7)[0].segments(), "Paccard tema."]), made(7)[1]))
    texts[0] = texts[0][0], Text([*texts[0][1].segments(), "Arobx Paccard mnq."])
    _, known = knowledge_of_lines(learned_together(texts).lines())
    assert "paccard" in known.words[1].counts
    assert "mnq" not in known.words[1].counts
    index = LexiconIndex(known.lexicon)
    words = CorpusWords(known, index)
    method, options = named("lexical"), SentenceOptions()
    for src, tgt in texts:
        pair = SentencePair(src, tgt)
        path = taught_path(pair, method, options, known)
        last = taught_aligner(pair, path, method, options, known=known, words=words)
        whole = taught(src, tgt, known)
        (one,), (other,) = last.pairs, whole.pairs
        for k, side in enumerate(("src", "tgt")):
            own, wanted = getattr(one, side), getattr(other, side)
            at = words.vocabularies[k].find(wanted.vocabulary.forms)
            for mine, alone in ((words.frequencies, 0), (words.shares, 1)):
                np.testing.assert_array_equal(
                    mine[k][at[at >= 0]], whole.task.words[alone][k][at >= 0]
                )
            assert own.vocabulary.forms[-1] not in wanted.vocabulary.forms
            counted = np.bincount(own.ids, own.times, len(own.vocabulary))
            assert counted[-1] == np.bincount(wanted.ids, wanted.times)[at < 0].sum()
        last.run()
        assert alignment_of(last, 0) == alignment_of(whole, 0)


@pytest.mark.parametrize("sentences", [(4999, 6000), (5000, 6000)])
@pytest.mark.parametrize("more", [{}, {"dictionaries": ("dictionary.tsv",)}])
def test_the_words_of_a_corpus_suffice_if_it_is_large(tmp_path, sentences, more):
    known = learned_together([made(k) for k in range(3)])
    pairs = zip(known.words, sentences, strict=True)
    known = replace(known, words=tuple(words._replace(sentences=n) for words, n in pairs))
    path = tmp_path / "lexicon"
    path.write_text("".join(f"{line}\n" for line in known.lines()), encoding="utf-8")
    recipe = Recipe(method="lexical", options=SentenceOptions(), lexicon=str(path), **more)
    assert (recipe.words is not None) == (not more and min(sentences) == 5000)


@pytest.mark.parametrize("rounds", [1, 2, 3, 4])
def test_texts_are_learned_from_without_the_last_round(rounds):
    options = SentenceOptions(rounds=rounds)
    words = Vocabulary(), Vocabulary()
    pairs = SentencePair.several([made(k) for k in range(3)], vocabularies=words)
    seen = []

    def taught_in(unsettled, enough=90, method="lexical"):
        teacher = teacher_of(pairs, named(method), options, enough=enough)
        teacher.run(progress=lambda done, whole: seen.append((done, whole)), unsettled=unsettled)
        assert not teacher.state.posteriors
        return seen[-1]

    assert taught_in(1.0) == (3 * max(rounds - 1, 1),) * 2
    assert taught_in(1.0, enough=91) == (3 * rounds,) * 2
    assert taught_in(1.0, method="length-characters") == (3 * rounds,) * 2
    # Paths that still change are searched again, up to five times, before they teach.
    assert taught_in(-1.0)[0] == 3 * (rounds - 1 + 5 if rounds > 2 else max(rounds - 1, 1))


@pytest.mark.parametrize("why", ["changed", "beads", "method", "vectors", "sizes"])
def test_a_path_is_used_for_the_same_work_only(why):
    known = learned_together([made(k) for k in range(6)])
    src, tgt = made(0)
    options, how, method = SentenceOptions(), {}, "lexical"
    if why == "changed":
        src = Text(["More.", *src.segments()])
    elif why == "beads":
        options = SentenceOptions(beads="1-1")
    elif why == "method":
        method = "length-characters"
    elif why == "vectors":
        how["more"] = lambda _: []
    else:
        known = replace(known, paths=dict.fromkeys(known.paths, "1-1*3"))
    aligner = pretrained_aligner(
        SentencePair(src, tgt), named(method), options, known=known,
        lexicon=LexiconIndex(known.lexicon), **how,
    )  # fmt: skip
    assert aligner.task.pretrained.path is None
    aligner.run()
    assert sum(len(bead.src) for bead in alignment_of(aligner, 0)) == len(src)


def test_lists_of_words_of_earlier_journals_are_read_as_they_were():
    src, tgt = made(5, count=30)
    aligner = aligner_of([(src, tgt)])
    aligner.run()
    lesson = text_statistics(aligner)
    earlier = json.loads(json.dumps(lesson))
    for side in ("src", "tgt"):
        for name in ("ids", "times"):
            packed = b64decode(earlier[side][name])
            earlier[side][name] = np.frombuffer(packed, dtype="<i4").tolist()
        assert len(earlier[side]["ids"]) == sum(earlier[side]["sizes"])
        assert max(earlier[side]["ids"]) < len(earlier[side]["forms"])
        assert min(earlier[side]["times"]) == 1
    learned = []
    for one in (lesson, earlier):
        learner = CorpusStatistics("lexical", named("lexical"), SentenceOptions())
        learner.add(one)
        learner.add(one)
        learned.append([*learner.learned().lines()])
    assert learned[0] == learned[1]
