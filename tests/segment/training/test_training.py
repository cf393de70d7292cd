"""Both solvers against the formula, against each other, and from where they were stopped."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from bitext.errors import FormatError, InputError, OptionError
from bitext.model import Segmentation
from bitext.segment.model_files import write_arrays
from bitext.segment.semi_markov import Problem, decode, starts_of
from bitext.segment.training import load_state, save_state, train
from reference import one_slack
from reference.paragraph_corpora import draw_corpus, draw_text


@pytest.mark.parametrize("cost", [0.02, 0.2])
@pytest.mark.parametrize("texts", [1, 6])
def test_the_duals_of_the_solvers_agree(cost, texts):
    corpus = draw_corpus(texts, texts, 9, 5)
    dual, weights = one_slack.dual_of(*corpus, cost)
    exact = train(*corpus, solver="cutting-plane", cost=cost, tolerance=1e-5)
    steps = train(*corpus, solver="bcfw", cost=cost, tolerance=3e-4, passes=6000)
    assert exact.converged
    assert steps.converged
    assert exact.dual == pytest.approx(dual, rel=1e-4)
    assert steps.dual == pytest.approx(dual, rel=1e-3)
    assert exact.weights == pytest.approx(weights, abs=0.02 * np.abs(weights).max())
    for trained in (exact, steps):
        primal = one_slack.objective(*corpus, cost, trained.weights)
        assert trained.primal == pytest.approx(primal)
        assert trained.gap == trained.primal - trained.dual
        assert -1e-9 <= trained.gap <= 1e-3 * dual


def test_the_problem_is_that_of_the_formula():
    texts, golds, size = draw_corpus(2, 3, 9, 4)
    problem = Problem.of(texts, golds, size, cost=0.5)
    weights = np.random.default_rng(0).normal(size=size)
    expected = one_slack.objective(texts, golds, size, 0.5, weights)
    assert problem.primal(weights) == pytest.approx(expected)
    for block, text, gold in zip(problem.blocks, texts, golds, strict=True):
        starts = block.find(weights[block.columns]).starts
        apart = np.zeros(size)
        apart[block.columns] = block.difference(starts)
        slow = one_slack.phi(text, list(gold), size) - one_slack.phi(text, list(starts), size)
        assert apart == pytest.approx(slow)
        assert block.loss(starts) == len(set(starts.tolist()) ^ set(gold.tolist()))


@pytest.mark.parametrize("solver", ["cutting-plane", "bcfw"])
def test_the_dual_never_falls(solver):
    reports = []
    train(*draw_corpus(3, 8, 20, 7), solver=solver, cost=0.1, passes=25, on_pass=reports.append)
    assert [report.number for report in reports] == list(range(1, len(reports) + 1))
    assert all(b.dual >= a.dual - 1e-12 for a, b in pairwise(reports))
    assert all(report.gap >= 0 for report in reports)
    assert all(report.primal == report.dual + report.gap for report in reports)


@pytest.mark.parametrize("solver", ["cutting-plane", "bcfw"])
def test_a_run_that_was_stopped_goes_on_to_the_same_bits(solver, tmp_path):
    corpus = draw_corpus(4, 6, 15, 5)
    options = {"solver": solver, "cost": 0.2, "seed": 5, "tolerance": 0.0}
    whole = train(*corpus, **options, passes=12)

    def keep(report):
        if report.number == 5:
            save_state(tmp_path / "state.npz", report.state())

    train(*corpus, **options, passes=7, on_pass=keep)
    rest = train(*corpus, **options, passes=12, state=load_state(tmp_path / "state.npz"))
    assert rest.weights.tobytes() == whole.weights.tobytes()
    assert (rest.dual, rest.passes) == (whole.dual, 12)


def test_a_state_of_something_else_is_refused(tmp_path):
    corpus = draw_corpus(4, 3, 10, 5)
    states = []
    train(*corpus, solver="bcfw", passes=1, on_pass=lambda report: states.append(report.state()))
    with pytest.raises(InputError, match="of solver bcfw, not cutting-plane"):
        train(*corpus, solver="cutting-plane", state=states[0])
    for changes in ({"cost": 2.0}, {"seed": 1}):
        with pytest.raises(InputError, match="of other texts, features, costs or another seed"):
            train(*corpus, solver="bcfw", state=states[0], **changes)
    with pytest.raises(InputError, match="of other texts"):
        train(*draw_corpus(5, 3, 10, 5), solver="bcfw", state=states[0])
    (tmp_path / "no.npz").write_bytes(b"no zip")
    with pytest.raises(FormatError, match=r"no\.npz: this is no file of the kind"):
        load_state(tmp_path / "no.npz")
    write_arrays(tmp_path / "bare.npz", "bitext paragraph training", 1, {"solver": "bcfw"}, {})
    with pytest.raises(FormatError, match="the header lacks the solver, the passes or the sign"):
        load_state(tmp_path / "bare.npz")


@pytest.mark.parametrize(
    ("solver", "name", "damage", "told"),
    [
        ("bcfw", "early", lambda a: a[:1], "early has the shape"),
        ("bcfw", "losses", lambda a: a * np.nan, "losses is not finite"),
        ("bcfw", "parts", lambda a: np.array(["a"] * len(a)), "is damaged"),
        ("bcfw", "parts", None, "'parts'"),
        ("cutting-plane", "sizes", lambda a: -a, "damaged"),
        ("cutting-plane", "shares", lambda a: a[1:], "shares has the shape"),
        ("cutting-plane", "products", lambda a: a[:-1], "products has the shape"),
        ("cutting-plane", "starts", lambda a: a - 1, "a size or a place is below 0"),
        ("cutting-plane", "starts", lambda a: a + 99, "begins after the end of its text"),
    ],
)
def test_a_damaged_state_is_refused(solver, name, damage, told):
    corpus, states = draw_corpus(4, 3, 10, 5), []
    train(*corpus, solver=solver, passes=2, on_pass=lambda report: states.append(report.state()))
    arrays = dict(states[-1].arrays)
    if damage is None:
        del arrays[name]
    else:
        arrays[name] = damage(arrays[name])
    with pytest.raises(InputError, match=rf"the state to resume from is damaged \(.*{told}|{told}"):
        train(*corpus, solver=solver, passes=3, state=replace(states[-1], arrays=arrays))
    with pytest.raises(InputError, match=r"is damaged .*begin anew, with another file"):
        train(*corpus, solver=solver, passes=3, state=replace(states[-1], passes=-1))


def test_the_seed_alone_decides():
    corpus = draw_corpus(6, 7, 12, 5)
    first, again = (train(*corpus, solver="bcfw", passes=4, seed=3) for _ in range(2))
    other = train(*corpus, solver="bcfw", passes=4, seed=4)
    assert first.weights.tobytes() == again.weights.tobytes()
    assert first.weights.tobytes() != other.weights.tobytes()


def test_weights_are_the_average_of_the_steps():
    corpus = draw_corpus(7, 1, 12, 5)  # one text: a pass is a step
    currents = []
    trained = train(
        *corpus,
        solver="bcfw",
        passes=9,
        tolerance=0.0,
        on_pass=lambda report: currents.append(report.state().arrays["current"]),
    )
    factors = np.arange(1, 10)
    expected = (factors[:, None] * np.array(currents)).sum(axis=0) / factors.sum()
    assert trained.weights == pytest.approx(expected)


def test_what_can_be_separated_is_learned():
    texts, golds, size = draw_corpus(8, 20, 15, 6, size=2000, per=12)
    trained = train(texts, golds, size, cost=10.0, passes=20)
    assert trained.solver == "bcfw"
    for text, gold in zip(texts, golds, strict=True):
        scores = text.node_scores(trained.weights), text.edge_scores(trained.weights)
        assert decode(*scores)[0].tolist() == gold.tolist()


def test_few_texts_go_to_cutting_planes_and_short_ones_have_nothing_to_say():
    texts, golds, size = draw_corpus(9, 3, 8, 4)
    one, none = (draw_text(np.random.default_rng(1), n, 4)[0] for n in (1, 0))
    more = train([*texts, one, none], [*golds, [0], []], size, cost=0.1)
    alone = train(texts, golds, size, cost=0.1)
    assert more.solver == "cutting-plane"
    assert more.weights.tolist() == alone.weights.tolist()
    nothing = train([one], [[0]], size)
    assert not nothing.weights.any()
    assert nothing.converged


def test_paragraphs_longer_than_the_longest_are_cut_and_told():
    texts, _, size = draw_corpus(10, 2, 20, 5)
    golds = [Segmentation([4, 13, 3]), Segmentation([5, 5, 5, 5])]
    problem = Problem.of(texts, golds, size, cost=1.0, names=["Emma: I", "Emma: II"])
    assert [block.gold.tolist() for block in problem.blocks] == [[0, 4, 8, 12, 17], [0, 5, 10, 15]]
    assert len(problem.notes) == 1
    assert problem.notes[0].startswith(
        "Emma: I: 1 gold paragraphs have more than 5 sentences, the first from sentence 4 on"
    )
    assert train(texts, golds, size).notes[0].startswith("text 0: 1 gold")


def test_texts_without_a_break_train():
    texts, _, size = draw_corpus(11, 3, 8, 10)
    trained = train(texts, [[0]] * 3, size, cost=5.0)
    for text in texts:
        scores = text.node_scores(trained.weights), text.edge_scores(trained.weights)
        assert decode(*scores)[0].tolist() == [0]


@pytest.mark.parametrize("gold", [[1, 3], [0, 3, 3], [0, 8], [], [[0]], Segmentation([4, 5])])
def test_gold_paragraphs_have_to_fit(gold):
    texts, golds, size = draw_corpus(12, 2, 8, 4)
    with pytest.raises(
        InputError, match=r"^Emma: (\S+ are no first|paragraphs over 9)|are no first"
    ):
        train(texts, [golds[0], gold], size, names=["Persuasion", "Emma"])
    with pytest.raises(InputError, match="2 texts and 1 gold"):
        train(texts, golds[:1], size)


@pytest.mark.parametrize("gold", [[0, 2.5], np.array([0, 3, 2], dtype=np.uint8), [False, True]])
def test_starts_of_other_numbers_are_refused(gold):
    with pytest.raises(InputError, match="are no first sentences of paragraphs"):
        starts_of(gold, 5)


def test_starts_are_read_off_segmentations():
    assert starts_of(Segmentation([2, 3, 1]), 6).tolist() == [0, 2, 5]
    assert starts_of([0, 2], 3).tolist() == [0, 2]
    assert starts_of([], 0).tolist() == []


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"solver": "sgd"}, "solver 'sgd' is not known: want one of auto, cutting-plane, bcfw"),
        ({"cost": 0.0}, "the cost is 0.0"),
        ({"cost": float("nan")}, "the cost is nan"),
        ({"passes": -1}, "there are -1 passes"),
        ({"tolerance": -1.0}, "the tolerance is -1.0"),
        ({"seed": -1}, "the seed is -1"),
    ],
)
def test_options_that_are_not_allowed(options, told):
    with pytest.raises(OptionError, match=told):
        train(*draw_corpus(13, 2, 5, 3), **options)
