import gc
from math import isnan, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bitext.metrics.arcade import Comparison
from bitext.metrics.bisegment_similarity import bisegment_similarity
from bitext.metrics.evaluation import Options
from bitext.metrics.evaluation.alignments import Evaluation
from bitext.metrics.significance import paired_bootstrap, quotients, randomisation
from bitext.model import Alignment, Bitext, Ratio, Text
from reference import bisegment_similarity as slow
from reference import draw


def bare(beads):
    return Bitext(None, None, Alignment(beads))


def diagonal(n, shift=0):
    return [((k,), (k + shift,)) for k in range(n)]


def halves(n):
    """Pairs of pairs: half of each 1-1 of the diagonal."""
    return [((k, k + 1), (k, k + 1)) for k in range(0, n, 2)]


def scored(texts, systems=("one",), similar=True, **options):
    """Evaluate texts given as (gold, hyp of the first system, hyp of the second, ...)."""
    evaluation = Evaluation(list(systems), Options(**{"resamples": 50, **options}), similar=similar)
    for k, (gold, *hyps) in enumerate(texts):
        evaluation.add(bare(gold), [bare(hyp) for hyp in hyps], f"t{k}")
    return evaluation


def row_of(rows, **wanted):
    (row,) = [r for r in rows if all(getattr(r, k) == v for k, v in wanted.items())]
    return row


@given(st.lists(draw.compared(), min_size=1, max_size=4), st.sampled_from([None, 0, 1]))
def test_rows_are_those_of_a_loop(texts, zero):
    evaluation = scored(
        [(gold, hyp) for _, _, gold, hyp in texts],
        resamples=0,
        zero_division=nan if zero is None else zero,
    )
    rows = evaluation.similarity_rows()
    each = [slow.similarity(gold, hyp, [1] * 9, [1] * 9) for _, _, gold, hyp in texts]
    values = [float(total / count) if count else zero for total, count in each]
    for k, ((total, count), value) in enumerate(zip(each, values, strict=True)):
        row = row_of(rows, text=f"t{k}", average="text")
        assert row.value == pytest.approx(nan if value is None else value, nan_ok=True)
        assert row.ratio.numerator == pytest.approx(float(total))
        assert row.ratio.denominator == count
        assert bool(row.undefined) == (count == 0)
    total, count = (sum(column) for column in zip(*each, strict=True))
    pooled = float(total / count) if count else zero
    micro = row_of(rows, average="micro")
    assert micro.value == pytest.approx(nan if pooled is None else pooled, nan_ok=True)
    known = [value for value in values if value is not None]
    mean = sum(known) / len(known) if known else nan
    macro = row_of(rows, average="macro")
    assert macro.value == pytest.approx(mean, nan_ok=True)
    assert macro.ratio is None
    assert macro.text is micro.text is None
    assert bool(macro.undefined) == any(not count for _, count in each)


def test_rows_come_by_granularity_then_system_averages_first():
    words = Text(["a b", "c"]), Text(["d", "e f"])
    evaluation = Evaluation(["a", "b"], Options(resamples=0), similar=True)
    gold, hyp = (Bitext(*words, Alignment(beads)) for beads in (diagonal(2), halves(2)))
    evaluation.add(gold, [gold, hyp], "t")
    order = [(r.granularity, r.system, r.average, r.text) for r in evaluation.similarity_rows()]
    assert order == [
        (g, s, average, text)
        for g in ("sentence", "word", "character")
        for s in ("a", "b")
        for average, text in [("micro", None), ("macro", None), ("text", "t")]
    ]
    only = evaluation.similarity_rows(averages=("macro",), texts=False)
    assert [(r.granularity, r.system, r.average) for r in only] == [
        (g, s, "macro") for g in ("sentence", "word", "character") for s in ("a", "b")
    ]
    for g in ("sentence", "word", "character"):
        found = row_of(only, granularity=g, system="b")
        assert found.value == bisegment_similarity(gold, hyp, granularity=g).value


@pytest.mark.parametrize(
    ("measures", "wanted"),
    [
        (None, ["sentence", "word", "character"]),
        (("word", "sentence", "lax"), ["sentence", "word"]),
        (("alignment",), ["sentence", "word", "character"]),
    ],
)
def test_granularities_are_those_asked_for_if_any_is(measures, wanted):
    one = Bitext(Text(["a"]), Text(["b"]), Alignment(diagonal(1)))
    evaluation = Evaluation(["one"], Options(measures=measures, resamples=0), similar=True)
    evaluation.add(one, [one])
    rows = evaluation.similarity_rows(averages=("micro",), texts=False)
    assert [row.granularity for row in rows] == wanted


@pytest.mark.parametrize("measures", [None, ("alignment",)])
def test_granularities_that_a_text_does_not_allow_are_left_out_with_the_reason(measures):
    one = Bitext(Text(["a"]), Text(["b"]), Alignment(diagonal(1)))
    evaluation = Evaluation(["one"], Options(measures=measures, resamples=0), similar=True)
    evaluation.add(one, [one], "full")
    evaluation.add(bare(diagonal(1)), [bare(diagonal(1))], "poor")
    assert {row.granularity for row in evaluation.similarity_rows()} == {"sentence"}
    assert evaluation.left_out["word"] == "poor lacks the source text and the target text"


def test_without_asking_there_are_none():
    evaluation = scored([(diagonal(2), diagonal(2))] * 3, similar=False)
    assert evaluation.similarity_rows() == []
    assert evaluation.similarity_differences() == []
    assert scored([]).similarity_rows() == []


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("zero", [nan, 0, 1])
def test_intervals_and_differences_are_of_the_figures_that_are_shown(average, zero):
    texts = [(diagonal(4), diagonal(4) if k % 2 else halves(4), diagonal(4)) for k in range(8)]
    texts.append(([], [], []))
    evaluation = scored(texts, ("a", "b"), zero_division=zero)
    rows = evaluation.similarity_rows(averages=(average,), texts=False)
    (difference,) = evaluation.similarity_differences(average=average)
    a, b = (row_of(rows, system=s) for s in ("a", "b"))
    assert difference[:4] == ("b", "a", "sentence", average)
    assert difference.value == b.value - a.value
    for row in (a, b):
        assert row.interval.low <= row.value <= row.interval.high
    assert a.interval.low < a.interval.high


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_clearly_different_systems_differ_and_equal_ones_do_not(test):
    texts = [(diagonal(4), diagonal(4), halves(4), diagonal(4))] * 19 + [
        (diagonal(4), diagonal(4), diagonal(4), diagonal(4))
    ]
    evaluation = scored(texts, ("a", "b", "c"), test=test, resamples=1000)
    for average in ("micro", "macro"):
        other, same = evaluation.similarity_differences(average=average)
        assert (other.system, same.system) == ("b", "c")
        assert other.p < 0.05
        assert (same.value, same.p) == (0, 1)


@pytest.mark.parametrize("test", [randomisation, paired_bootstrap])
def test_p_is_that_of_the_counts(test):
    sizes = [2, 2, 4, 6, 30] * (1 if test is randomisation else 4)
    texts = [(diagonal(n), halves(n), diagonal(n) if n < 30 else []) for n in sizes]
    evaluation = scored(texts, ("a", "b"), test=test.__name__.removeprefix("paired_"))
    # Each pair finds a 1-1, and both find it; of nothing proposed every gold one is alone.
    a, b = [[n / 4, n] for n in sizes], [[n if n < 30 else 0, n] for n in sizes]
    options = {"of": quotients, "resamples": 50}
    for average in ("micro", "macro"):
        wanted = test(np.array(a), np.array(b), macro=average == "macro", **options)
        (found,) = evaluation.similarity_differences(average=average)
        assert (found.p,) == wanted
    micro, macro = (evaluation.similarity_differences(average=a)[0].p for a in ("micro", "macro"))
    assert micro != macro


def test_one_text_is_resampled_in_blocks_that_add_up():
    hyp = [*halves(60), *diagonal(100)[60:], ((5,), (90,)), ((), (101,))]
    evaluation = scored([(diagonal(100), hyp)])
    units = np.array(evaluation.block_state()["similar"]["0 sentence"])
    assert units.shape == (10, 2)
    found = bisegment_similarity(Alignment(diagonal(100)), Alignment(hyp))
    assert units.sum(axis=0) == pytest.approx([found.numerator, found.denominator])
    # The first ten gold bisegments, each within a pair (a quarter of its area), and one alone.
    assert units[0].tolist() == [2.5, 11]
    row = row_of(evaluation.similarity_rows(), average="micro")
    assert row.interval.low <= row.value <= row.interval.high
    # A system that proposes nothing has nowhere else to stand.
    evaluation = scored([(diagonal(60), [])])
    low, high = row_of(evaluation.similarity_rows(), average="micro").interval
    assert low == 0 < high < 0.2


def test_too_little_is_not_resampled():
    evaluation = scored([(diagonal(4), halves(4))])
    assert {row.interval for row in evaluation.similarity_rows()} == {None}
    evaluation = scored([(diagonal(100), halves(100))], resamples=0)
    assert {row.interval for row in evaluation.similarity_rows()} == {None}


def comparisons():
    """Count the comparisons in memory."""
    gc.collect()
    return sum(isinstance(each, Comparison) for each in gc.get_objects())


def test_texts_may_be_added_after_figures_were_asked_for():
    gc.collect()
    gc.freeze()  # what is there is not looked through again
    before = comparisons()
    evaluation = scored([(diagonal(100), halves(100))])
    assert row_of(evaluation.similarity_rows(), average="micro").value == 1 / 4
    assert comparisons() == before + 1
    evaluation.add(bare(diagonal(100)), [bare(diagonal(100))], "more")
    micro = row_of(evaluation.similarity_rows(), average="micro")
    assert micro.ratio == Ratio(25 + 100, 200)
    assert not isnan(micro.interval.low)
    # Of several texts, only sums are kept.
    assert comparisons() == before


def test_what_changes_a_figure_is_in_the_signature():
    rows = scored([(diagonal(2), diagonal(2))], words="unicode").similarity_rows()
    text, micro = (row_of(rows, average=average).signature for average in ("text", "micro"))
    assert text.startswith(
        "bisegment-similarity|sentence|average:text|words:unicode|characters:codepoint|"
    )
    assert micro.startswith("bisegment-similarity|sentence|average:micro|texts:1|words:unicode|")
