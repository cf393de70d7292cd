"""Paraphrases: novel, distinct, from the lattice, with their sources, the same for one seed."""

import json
from collections import Counter
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.align.words.aligning import bitexts
from bitext.align.words.automaton import minimise
from bitext.align.words.ngram_model import NgramModel
from bitext.align.words.paraphrases import Paraphrase, Span, key_of, paraphrases
from bitext.align.words.progressive import align_cluster
from bitext.align.words.ranking import RANKS, Transitions
from bitext.errors import InputError, OptionError
from bitext.formats.clusters import read_comparable
from bitext.metrics import lattice_figures
from bitext.model import Cluster, Lattice, Sentence, Token
from bitext.syntax.parsers import analyse, parser_named
from bitext.syntax.tokenizer import tokenize
from reference import paths_slow as slow
from reference.shared_data import data, needs_data

SOUND = {"mark": 0, "fragment": 0, "complement": 0}
NAMES = ["Rome", "burns", "tonight", "and", ",", "boats", "sink", "in", "harbour", "."]


def sentence(text, **fields):
    """A sentence; a word may have a tag after a bar."""
    parts = [part.split("|") for part in text.split()]
    return Sentence([Token(part[0], *part[1:]) for part in parts], **fields)


def lattice(*texts, groups, **fields):
    made = [s if isinstance(s, Sentence) else sentence(s, **fields) for s in texts]
    return Lattice(Cluster(made), groups)


def texts(found):
    return [item.text for item in found]


@st.composite
def lattices(draw):
    """Words of one group have one form; groups ascend in every sentence, so there is no cycle."""
    rows = draw(
        st.lists(
            st.sets(st.integers(0, 13), min_size=1, max_size=7).map(sorted), min_size=1, max_size=4
        )
    )
    return lattice(*(" ".join(NAMES[g % 10] for g in row) for row in rows), groups=rows)


def content_repeats(words, inputs):
    most = Counter()
    for other in inputs:
        most |= Counter(other)
    return any(
        n > 1 and n > most[w] and w not in {"and", "in"} and w.isalnum()
        for w, n in Counter(words).items()
    )


@given(lattices(), st.booleans(), st.booleans(), st.sampled_from(RANKS[:2]))
def test_a_small_lattice_is_looked_at_in_full(made, repetition, keep, rank):
    arcs = list(zip(made.arcs.tail.tolist(), made.arcs.head.tolist(), strict=True))
    paths = slow.all_paths(arcs, made.accept)
    inputs = [key_of(s.forms) for s in made.cluster]
    keys = {key_of([made.form(node) for node in path[1:-1]]) for path in paths}
    if not keep:
        keys -= set(inputs)
    if repetition:
        keys = {key for key in keys if not content_repeats(key, inputs)}
    found = paraphrases(made, n=500, repetition=repetition, keep_inputs=keep, rank=rank)
    assert {key_of(item.tokens) for item in found} == keys
    assert len(found) == len(keys) == found.candidates
    assert (found.paths, found.complete) == (len(paths), True)
    assert found.drawn == len(paths) == found.candidates + sum(found.dropped.values())
    totals = [round(item.scores.total, 9) for item in found]
    assert totals == sorted(totals, reverse=True)


@given(lattices(), st.integers(0, 50), st.sampled_from(["arcs", "paths"]))
def test_draws_are_novel_distinct_and_from_the_lattice(made, seed, walk):
    found = paraphrases(made, n=5, walk=walk, seed=seed, max_draws=20)
    assert found.drawn == found.candidates + sum(found.dropped.values())
    assert found.drawn <= 20
    keys = [key_of(item.tokens) for item in found]
    assert len(set(keys)) == len(keys) <= 5
    assert not set(keys) & {key_of(s.forms) for s in made.cluster}
    after = made.successors()
    inputs = [made.path(s)[1:-1] for s in range(len(made.cluster))]
    for item in found:
        path = [made.start, *item.nodes, made.accept]
        assert all(head in after[tail] for tail, head in pairwise(path))
        assert [t.casefold() for t in item.tokens] == [
            made.form(node).casefold() for node in item.nodes
        ]
        assert [(a, b) for a, b, _ in item.spans] == list(
            pairwise([0, *(span.end for span in item.spans)])
        )
        assert len(item.spans) == slow.fewest_spans(list(item.nodes), inputs)
        for first, end, among in item.spans:
            run = list(item.nodes[first:end])
            assert list(among) == [
                s
                for s, nodes in enumerate(inputs)
                if any(nodes[k : k + len(run)] == run for k in range(len(nodes)))
            ]
    again = paraphrases(made, n=5, walk=walk, seed=seed, max_draws=20)
    assert again == found


def ladder(steps):
    """Two sentences that meet in every second word: 2 ** steps paths."""
    names = [f"n{k}" for k in range(steps)]
    left = [word for k in range(steps) for word in (f"a{k}", names[k])]
    right = [word for k in range(steps) for word in (f"b{k}", names[k])]
    groups = [[3 * (k // 2) + k % 2 for k in range(2 * steps)]]
    groups.append([3 * (k // 2) + (1 if k % 2 else 2) for k in range(2 * steps)])
    return lattice(" ".join(left), " ".join(right), groups=groups)


def test_a_seed_gives_the_same_answer_and_another_one_another():
    made = ladder(40)
    for walk in ("arcs", "paths"):
        one, again = (paraphrases(made, n=20, walk=walk, pool=90) for _ in range(2))
        assert (one.paths, one.complete, len(one), one.candidates) == (2**40, False, 20, 90)
        assert texts(one) == texts(again)
        other = paraphrases(made, n=20, walk=walk, pool=90, seed=2)
        of_numpy = paraphrases(made, n=20, walk=walk, pool=90, seed=np.int64(2))
        assert texts(of_numpy) == texts(other)
        assert not set(texts(one)) & set(texts(other))
        assert f"|walk:{walk}|seed:1|" in one.signature


def test_without_a_rank_they_come_as_drawn():
    made = ladder(40)
    few, more = (paraphrases(made, n=n, rank="none") for n in (5, 9))
    assert texts(few) == texts(more)[:5]
    assert few.candidates == 5
    assert few[0].scores.total == 0.0
    # Of a lattice seen in full, what a walk meets sooner comes sooner: "c" at 1/2 against 1/16.
    rows = ["x y1 c", "z", *("x y2 d", "x y3 e", "x y4 f")]
    groups = [[0, 1, 9], [8], [0, 2, 10], [0, 3, 11], [0, 4, 12]]
    made = lattice(*rows, groups=groups)
    first = Counter(
        paraphrases(made, n=1, rank="none", keep_inputs=True, seed=seed)[0].text
        for seed in range(160)
    )
    assert 60 < first["Z"] < 100
    assert all(8 < first[f"X {rest}"] < 36 for rest in ("y1 c", "y2 d", "y3 e", "y4 f"))
    by_path = Counter(
        paraphrases(made, n=1, rank="none", keep_inputs=True, walk="paths", seed=seed)[0].text
        for seed in range(160)
    )
    assert 16 < by_path["Z"] < 48


MILAN = ["Milan is beautiful", "I went to Milan"]


def test_the_published_example_accepts_its_famous_sentence():
    made = lattice(*MILAN, groups=[[3, 4, 5], [0, 1, 2, 3]])
    found = paraphrases(made)
    assert texts(found) == ["I went to Milan is beautiful", "Milan"]
    assert found[0].spans == (Span(0, 4, (1,)), Span(4, 6, (0,)))
    assert found[0].novelty == 0.25  # of four runs, "to Milan is"
    assert found.dropped == {"input": 2, "repeat": 0, "repetition": 0} | SOUND
    assert found.summary == ("2 of 100 wanted; all 4 paths: 2 candidates, left out 2 input")


def test_one_sentence_has_no_paraphrase():
    found = paraphrases(lattice("Milan is beautiful", groups=[[0, 1, 2]]))
    assert list(found) == []
    assert (found.paths, found.dropped["input"], found.complete) == (1, 1, True)
    assert list(paraphrases(lattice("a", "A", groups=[[0], [1]]))) == []
    assert len(paraphrases(ladder(2), n=0)) == 0


def test_a_content_word_is_not_said_again():
    made = lattice(
        "nine people were hurt near the port",
        "the ferry hurt nine people",
        groups=[[0, 1, 5, 6, 7, 8, 9], [2, 3, 6, 10, 11]],
    )
    wanted = ["Nine people were hurt nine people", "The ferry hurt near the port"]
    assert texts(paraphrases(made)) == wanted[1:]
    assert sorted(texts(paraphrases(made, repetition=False))) == wanted
    assert paraphrases(made).dropped["repetition"] == 1
    # An input says it twice: then so may a paraphrase.
    twice = lattice(
        "nine people were hurt near the port",
        "the ferry hurt nine people",
        "nine and nine people",
        groups=[[0, 1, 5, 6, 7, 8, 9], [2, 3, 6, 10, 11], [20, 21, 22, 23]],
    )
    assert wanted[0] not in texts(paraphrases(twice))  # "people" is still said once only
    assert "repetition:dropped" in paraphrases(twice).signature


def test_marks_do_not_make_a_sentence_novel_and_the_best_marks_are_kept():
    made = lattice(
        "He left , they say",
        "He left they say now",
        "She left ! they say",
        groups=[[0, 2, 3, 5, 6], [0, 2, 5, 6, 7], [1, 2, 4, 5, 6]],
    )
    for mark, wanted in ((", ", "She left, they say now"), ("", "She left they say now")):
        model = NgramModel([f"she left {mark}they say now".split()])
        found = paraphrases(made, model=model)
        assert texts(found) == [wanted]
        # Twelve paths say four things in three ways each, and an input has three of the four.
        assert found.dropped == {"input": 9, "repeat": 2, "repetition": 0} | SOUND


def test_what_differs_in_its_apostrophe_alone_is_not_novel():
    made = lattice(
        "It ’s burning now",
        "It 's burning today",
        groups=[[0, 1, 3, 4], [0, 2, 3, 5]],
    )
    found = paraphrases(made)
    assert texts(found) == []
    assert found.dropped == {"input": 4, "repeat": 0, "repetition": 0} | SOUND
    (kept, other) = paraphrases(made, keep_inputs=True)
    assert (kept.novelty, other.novelty) == (0, 0)


def test_of_paths_in_the_same_words_that_of_the_fewest_spans_is_kept():
    # "off" of the second sentence is one node, that of the last two another one.
    made = lattice(
        *(
            "a ferry burns",
            "the ferry off Rome today",
            "it sank off Rome now",
            "one ferry off Malta",
        ),
        groups=[[0, 3, 9], [1, 3, 5, 8, 11], [2, 12, 6, 8, 10], [13, 3, 6, 14]],
    )
    for seed in range(9):
        spans = {item.text: item.spans for item in paraphrases(made, seed=seed)}
        assert spans["A ferry off Rome today"] == (Span(0, 2, (0,)), Span(2, 5, (1,)))
        assert len(spans["It sank off Rome today"]) == 2


def test_draws_go_on_from_batch_to_batch():
    for walk in ("arcs", "paths"):
        found = paraphrases(ladder(23), n=520, walk=walk, rank="none")
        assert len(found) == found.drawn == 520


def test_the_model_and_known_sentences_of_the_user_decide():
    made = lattice(
        "a ferry burns",
        "the ferry sinks",
        "one ferry stops",
        groups=[[0, 3, 4], [1, 3, 5], [2, 3, 6]],
    )
    model = NgramModel([["one", "ferry", "sinks"]] * 9 + [["x"]])
    found = paraphrases(made, model=model, rank="ngram", n=1)
    assert texts(found) == ["One ferry sinks"]
    assert "model:given:3" in found.signature
    with pytest.raises(InputError, match="rank 'syntax' needs the syntax"):
        paraphrases(made, rank="syntax")
    tagged = lattice(
        "a|DT|B-NP ferry|NN|I-NP burns|VBZ|B-VP",
        "it|PRP|B-NP ferry|VB|I-NP sank|VBD|B-VP",
        groups=[[0, 2, 3], [1, 2, 4]],
    )
    assert texts(paraphrases(tagged, rank="syntax", n=1)) == ["A ferry sank"]
    known = [sentence("one|PRP|B-NP ferry|VB|I-NP boils|VBZ|B-VP")]
    assert texts(paraphrases(tagged, rank="syntax", n=1, known=known)) == ["It ferry burns"]


def test_asking_for_fewer_gives_no_worse_ones():
    made = ladder(15)  # more paths than are looked at
    few, many = (paraphrases(made, n=n) for n in (3, 100))
    assert texts(few) == texts(many)[:3]
    assert (few.complete, few.candidates, many.candidates) == (False, 1000, 1000)
    assert "|pool:1000|" in few.signature
    assert "|pool:1010|" in paraphrases(ladder(2), n=101).signature
    assert "|pool:3|" in paraphrases(made, n=3, rank="none").signature
    assert paraphrases(made, n=3, pool=30).candidates == 30


def test_what_is_known_may_be_read_once():
    made = lattice(
        "a|DT|B-NP ferry|NN|I-NP burns|VBZ|B-VP",
        "it|PRP|B-NP ferry|VB|I-NP sank|VBD|B-VP",
        groups=[[0, 2, 3], [1, 2, 4]],
    )
    known = [sentence("one|PRP|B-NP ferry|VB|I-NP boils|VBZ|B-VP")]
    ready = Transitions(known)
    one, other, third = (
        paraphrases(made, rank="syntax", known=known_) for known_ in (known, ready, ready)
    )
    assert one == other == third
    assert texts(one)[0] == "It ferry burns"


def test_two_verbs_of_one_subject_and_lone_marks_are_faults():
    made = lattice(
        "They|PRP|B-NP left|VBD|B-VP a|DT|B-NP ferry|NN|I-NP",
        "a|DT|B-NP ferry|NN|I-NP sank|VBD|B-VP now|RB|B-ADVP",
        groups=[[0, 1, 2, 3], [2, 3, 4, 5]],
    )
    found = paraphrases(made, keep_broken=True)
    faults = {item.text: item.record(made.cluster)["faults"] for item in found}
    assert faults == {"They left a ferry sank now": 1, "A ferry": 0}
    before = {item.text: item.scores for item in paraphrases(made, rank="ngram", keep_broken=True)}
    for item in found:  # a third of the steps of "A ferry" is wrong: it ends without a verb
        scores = before[item.text]
        lost = 8 * (1 - scores.consistency + scores.faults / (len(item.tokens) + 1))
        lost += 8 * (item.text == "A ferry")  # it is broken, and comes behind all others
        assert item.scores.total == pytest.approx(scores.total - lost)
    lone = lattice("( we ) left", "( we stayed", groups=[[0, 1, 2, 3], [0, 1, 4]])
    assert [item.scores.faults for item in paraphrases(lone, keep_inputs=True)] == [0, 0]
    lone = lattice("( we ) left", "So we sank", groups=[[0, 1, 2, 3], [4, 1, 5]])
    found = {item.text: item.scores.faults for item in paraphrases(lone, keep_broken=True)}
    assert found == {"(We sank": 1, "So we) left": 1}


@cache  # to parse takes most of the time of a test
def parsed(*lines):
    """Align sentences by the built-in parser."""
    cluster = Cluster(Sentence(tokenize(line), text=line) for line in lines)
    return align_cluster(analyse(cluster, parser_named("english")))


def test_sentences_with_half_of_their_marks_are_left_out():
    lone = lattice("( we ) left", "So we sank", groups=[[0, 1, 2, 3], [4, 1, 5]])
    found = paraphrases(lone)
    assert (texts(found), found.dropped["mark"]) == ([], 2)
    assert found.summary.endswith("0 candidates, left out 2 input, 2 mark")
    assert "|broken:dropped|" in found.signature
    # What an author wrote is no paraphrase to be judged.
    lone = lattice("( we left", "So we sank", groups=[[0, 1, 2], [3, 1, 4]])
    assert set(texts(paraphrases(lone, keep_inputs=True))) == {
        "(We left",
        "So we left",
        "So we sank",
    }
    assert paraphrases(lone, keep_inputs=True).dropped["mark"] == 1


def test_sentences_without_a_finite_verb_are_left_out():
    made = lattice(
        "They|PRP|B-NP left|VBD|B-VP a|DT|B-NP ferry|NN|I-NP",
        "a|DT|B-NP ferry|NN|I-NP sank|VBD|B-VP now|RB|B-ADVP",
        groups=[[0, 1, 2, 3], [2, 3, 4, 5]],
    )
    found = paraphrases(made)
    assert (texts(found), found.dropped["fragment"]) == (["They left a ferry sank now"], 1)
    assert texts(paraphrases(made, keep_broken=True))[-1] == "A ferry"


def test_sentences_that_lose_a_complement_are_left_out():
    made = parsed(
        "Unions called the plan to close 85 branches a betrayal of staff.",
        "The bank defended the plan to close 85 branches.",
        "The bank announced a plan to close 85 branches on Monday.",
    )
    found = paraphrases(made)
    assert set(texts(found)) == {
        "The bank announced a plan to close 85 branches.",
        "The bank defended the plan to close 85 branches on Monday.",
    }
    assert found.dropped["complement"] == 4
    # Kept, they come last.
    every = texts(paraphrases(made, keep_broken=True))
    assert (len(every), set(every[:2])) == (6, set(texts(found)))
    assert {
        "Unions called the plan to close 85 branches.",
        "The bank defended the plan to close 85 branches a betrayal of staff.",
    } <= set(every[2:])


TOLD = """\
The mayor told reporters that the bridge was safe.
The mayor met reporters at the bridge.
The guards stopped reporters on Friday."""
FOUND = """\
Critics found the new law unfair to the poor.
Parliament passed the new law in May.
The court upheld the new law in June."""


@pytest.mark.parametrize(
    ("lines", "lost"),
    [
        (TOLD, "The mayor told reporters on Friday."),
        (TOLD, "The guards stopped reporters that the bridge was safe."),
        (FOUND, "Critics found the new law in May."),
        (FOUND, "Parliament passed the new law unfair to the poor."),
    ],
)
def test_complements_of_other_kinds(lines, lost):
    made = parsed(*lines.splitlines())
    assert lost in texts(paraphrases(made, keep_broken=True))
    assert lost not in texts(paraphrases(made))


@needs_data("clusters")
@pytest.mark.parametrize("trees", [True, False])
@pytest.mark.parametrize("name", ["ferry", "e2e-04", "bible-matthew-7-24"])
def test_no_sound_sentence_is_put_down_for_its_complements(name, trees):
    (given_cluster,) = read_comparable(str(data("clusters", f"{name}.json")))
    forms = [s.text for s in given_cluster]
    made = align_cluster(given_cluster) if trees else parsed(*forms)
    every = set(texts(paraphrases(made, keep_broken=True)))
    # The one that is left out has no finite verb.
    assert every - set(texts(paraphrases(made))) <= {
        "All 212 passengers from the burning ferry, according to the coast guard."
    }


def test_a_record_is_json_with_the_names_of_the_sources():
    made = Lattice(
        Cluster([sentence(MILAN[0], id="s1"), sentence(MILAN[1])]), [[3, 4, 5], [0, 1, 2, 3]]
    )
    record = json.loads(json.dumps(paraphrases(made)[0].record(made.cluster)))
    assert record["spans"] == [[0, 4, ["2"]], [4, 6, ["s1"]]]
    assert record["text"] == "I went to Milan is beautiful"
    assert record["tokens"] == record["text"].split()
    assert (record["consistency"], record["novelty"]) == (None, 0.25)
    assert record["score"] == record["log2_per_word"] < 0


def test_many_long_sentences_stay_within_the_draws():
    # Sentence s says word s of every odd column, and one word with all others in the even ones.
    groups = [[k * 101 + (s if k % 2 else 100) for k in range(30)] for s in range(100)]
    made = lattice(*(" ".join(f"w{g}" for g in row) for row in groups), groups=groups)
    found = paraphrases(made, n=10, pool=100, max_draws=300)
    assert found.paths == 100**15
    assert "; 100 walks over about 10^30 paths: 100 candidates" in found.summary
    assert (found.drawn, found.complete, len(found)) == (100, False, 10)
    assert all(isinstance(item, Paraphrase) for item in found[:3])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"walk": "nodes"}, "walk 'nodes' is not known: want one of arcs, paths"),
        ({"rank": "best"}, r"rank 'best' is not known: want one of ngram\+syntax, ngram"),
        ({"n": -1}, "n is -1: want a whole number, 0 or more"),
        ({"n": 2.5}, "n is 2.5: want a whole number, 0 or more"),
        ({"n": None}, "n is None: want a whole number, 0 or more"),
        ({"n": 9, "pool": 8}, "pool is 8: want a whole number, 9 or more"),
        ({"max_draws": 0}, "max_draws is 0: want a whole number, 1 or more"),
        ({"seed": -1}, "seed is -1: want a whole number, 0 or more"),
    ],
)
def test_options_that_are_not_allowed_are_refused(options, message):
    with pytest.raises(OptionError, match=message):
        paraphrases(ladder(2), **options)


@pytest.mark.parametrize("ask", [paraphrases, minimise, lattice_figures, lambda x: [*bitexts(x)]])
def test_a_cluster_is_no_lattice(ask):
    with pytest.raises(
        InputError, match=r"^the lattice is <Cluster.*> \(Cluster\): want a Lattice"
    ):
        ask(ladder(2).cluster)


def test_the_seed_decides_nothing_where_every_path_is_looked_at():
    # Two paths say "k m n g" in two spans: by the m of the first sentence, or of the second.
    groups = [[0, 1, 2, 3], [0, 5, 2, 6], [7, 2, 8]]
    made = lattice("k m n e", "k m n f", "h n g", groups=groups)
    of = [[(p.text, p.spans, p.scores) for p in paraphrases(made, seed=seed)] for seed in range(8)]
    assert of[0]
    assert all(other == of[0] for other in of)
