from __future__ import annotations

from math import isnan

import numpy as np
import pytest

from bitext.errors import InputError, OptionError, SegmentationError
from bitext.metrics import all_metrics
from bitext.metrics.evaluation import Sampling
from bitext.metrics.evaluation.segmentations import (
    COMBINATIONS,
    DEFAULT_METRICS,
    Scored,
    SegmentEvaluation,
    consensus,
    score,
)
from bitext.metrics.registry import NamedMetric, parse_metric, parse_metrics
from bitext.metrics.segmentation.references import (
    best_reference,
    majority,
    majority_reference,
    mean_over_references,
    wisebe,
)
from bitext.metrics.significance import bootstrap, figures, randomisation
from bitext.model import Segmentation
from bitext.model.segmentation import Segmentations

TEXTS = 12


def drawn(rng, sizes):
    found = {}
    for t, n in enumerate(sizes):
        bits = "".join(rng.choice(["0", "1"], size=n - 1, p=[0.7, 0.3]))
        found[f"t{t}"] = Segmentation.from_bits(bits)
    return found


@pytest.fixture(scope="module")
def family():
    """Three references and two systems over the same texts, as dictionaries."""
    rng = np.random.default_rng(7)
    sizes = rng.integers(6, 40, size=TEXTS)
    return [drawn(rng, sizes) for _ in range(5)]


def tables(dictionaries):
    return [Segmentations.of(found) for found in dictionaries]


def evaluate(references, hyps, metrics=DEFAULT_METRICS, **options):
    sampling = Sampling(**{"resamples": 0, **options.pop("sampling", {})})
    return SegmentEvaluation(
        systems=[f"s{k}" for k in range(len(hyps))],
        metrics=parse_metrics(metrics, also=("wisebe",)),
        references=tables(references),
        hyps=tables(hyps),
        options=sampling,
        **options,
    )


def only(rows, **wanted):
    (found,) = [row for row in rows if all(getattr(row, k) == v for k, v in wanted.items())]
    return found


def near(value, other):
    return (isnan(value) and isnan(other)) or value == pytest.approx(other, abs=1e-12)


def values_of(found):
    if hasattr(found, "precision"):
        return {".precision": found.precision, ".recall": found.recall, ".f1": found.f1}
    return {"": found.value}


def test_the_figures_of_texts_are_those_of_each_metric_one_by_one(family):
    names = [m.name for m in all_metrics().values() if m.over == "segmentation"]
    evaluation = evaluate(family[:1], family[3:], names)
    rows = {(r.system, r.text, r.metric): r for r in evaluation.rows(averages=[])}
    for name in names:
        for text, gold in family[0].items():
            for s, hyps in enumerate(family[3:]):
                found = all_metrics()[name](gold, hyps[text])
                for ending, value in values_of(found).items():
                    row = rows[f"s{s}", text, name + ending]
                    assert near(row.value, value)
                    assert row.k == getattr(found, "k", None)
                    if isnan(value):
                        assert row.undefined
                    else:
                        assert row.numerator == pytest.approx(value * row.denominator)


def test_micro_pools_counts_and_macro_is_the_mean_over_texts(family):
    evaluation = evaluate(family[:1], family[3:4])
    rows = list(evaluation.rows())
    for name in ("pk", "boundary-similarity"):
        each = [all_metrics()[name](g, family[3][t]) for t, g in family[0].items()]
        micro, macro = (only(rows, metric=name, average=a) for a in ("micro", "macro"))
        assert micro.value == pytest.approx(sum(each).value)
        assert (micro.numerator, micro.denominator) == (sum(each).numerator, sum(each).denominator)
        assert macro.value == pytest.approx(np.mean([one.value for one in each]))
        assert macro.numerator is None
    total = sum(all_metrics()["boundary"](g, family[3][t]) for t, g in family[0].items())
    assert only(rows, metric="boundary.f1", average="micro").value == pytest.approx(total.f1)


def test_figures_of_counts_are_those_of_the_tests():
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 3, size=(500, 4)).astype(float)
    counts[:, 1:3] = np.maximum(counts[:, 1:3], counts[:, [0, 3]])
    flat = np.hstack([counts, np.ones((500, 1))])
    scored = Scored(parse_metric("boundary"), flat[:, None, :])
    np.testing.assert_array_almost_equal(scored.figures(flat), figures(counts))
    np.testing.assert_array_almost_equal(scored.figures(flat, 0.5), figures(counts, 0.5))
    flat[7] = 0
    assert np.isnan(scored.figures(flat, 0.5)[7]).all()


@pytest.mark.parametrize("name", ["window-diff", "alignment-similarity", "boundary"])
def test_several_references_are_those_of_the_library(family, name):
    references, hyp = family[:3], family[3]
    rows = {}
    for combination in COMBINATIONS:
        found = evaluate(references, [hyp], [name], combination=combination).rows(averages=[])
        rows[combination] = {(r.text, r.metric): r for r in found}
    label = "boundary.f1" if name == "boundary" else name
    for text, candidate in hyp.items():
        mine = [found[text] for found in references]
        mean = mean_over_references(name, mine, candidate).value
        assert near(rows["mean"][text, label].value, mean)
        best = best_reference(name, mine, candidate).score
        assert near(rows["best"][text, label].value, values_of(best)[label.removeprefix(name)])
        most = majority_reference(name, mine, candidate)
        assert near(rows["majority"][text, label].value, values_of(most)[label.removeprefix(name)])
        union = all_metrics()[name](majority(mine, share=0), candidate)
        assert near(rows["any"][text, label].value, values_of(union)[label.removeprefix(name)])


def test_the_mean_over_references_pools_against_each(family):
    references, hyp = family[:3], family[3]
    row = only(evaluate(references, [hyp], ["window-diff"]).rows(texts=False), average="micro")
    metric = all_metrics()["window-diff"]
    pooled = [sum(metric(found[t], hyp[t]) for t in hyp) for found in references]
    assert row.value == pytest.approx(np.mean([one.value for one in pooled]))
    assert "references:mean-of-3" in row.signature
    assert row.k is None


def test_window_sizes_are_told_where_the_references_agree_on_them():
    coarse, fine = {"t": Segmentation([20, 20])}, {"t": Segmentation([4] * 10)}
    for references, k in (([coarse, fine], None), ([fine, fine], 2), ([coarse, coarse], 10)):
        (row,) = evaluate(references, [fine], ["pk"]).rows(averages=[])
        assert row.k == k
    (row,) = evaluate([coarse, fine], [fine], ["pk"], combination="best").rows(averages=[])
    assert (row.k, row.value) == (2, 0)


def test_wisebe_takes_all_references_and_pools_its_parts(family):
    references, hyp = family[:3], family[3]
    rows = list(evaluate(references, [hyp], ["wisebe"]).rows())
    each = {t: wisebe([found[t] for found in references], hyp[t]) for t in hyp}
    for text, found in each.items():
        assert only(rows, text=text, metric="wisebe").value == pytest.approx(found.value)
        assert only(rows, text=text, metric="wisebe.f1").value == pytest.approx(found.f1)
    counts = sum(found.counts for found in each.values())
    ratio = sum(found.agreement for found in each.values())
    pooled = only(rows, average="micro", metric="wisebe").value
    assert pooled == pytest.approx(ratio.value * counts.f1)
    bare = {"t": Segmentation([4])}
    rows = list(evaluate([{"t": Segmentation([2, 2])}] * 2, [bare], ["wisebe"]).rows())
    assert only(rows, average="text", metric="wisebe").value == 0
    with pytest.raises(InputError, match=r"^wisebe: no reference has a boundary"):
        list(evaluate([bare, bare], [bare], ["wisebe"]).rows())
    many = {"a": Segmentation([2, 2]), "b": Segmentation([4])}
    with pytest.raises(InputError, match=r"^text 'b': wisebe: no reference has a boundary"):
        list(evaluate([many, many], [many], ["wisebe"]).rows())
    left = evaluate([many, many], [many], ["wisebe"], refused="leave")
    assert left.refusals() == {"wisebe": {1: "no reference has a boundary"}}
    assert only(left.rows(), text="b", metric="wisebe").undefined == "no reference has a boundary"
    assert only(left.rows(), average="micro", metric="wisebe").value == 1


def test_consensus_is_the_majority_of_each_text(family):
    for share in (0.0, 0.5):
        found = consensus(tables(family[:3]), share)
        for text in family[0]:
            assert found[text] == majority([each[text] for each in family[:3]], share=share)
    half = consensus(tables([{"t": Segmentation([2, 4])}, {"t": Segmentation([2, 1, 3])}]), 0.5)
    assert half["t"] == Segmentation([2, 4])


def test_intervals_and_tests_are_those_of_the_counts(family):
    sampling = {"resamples": 500, "seed": 3}
    evaluation = evaluate(
        family[:1],
        family[3:],
        sampling={**sampling, "interval": "bootstrap", "test": "randomisation"},
    )
    gold = tables(family[:1])
    counts = [
        score(parse_metric("boundary"), gold, hyp).columns[:, 0, :-1] for hyp in tables(family[3:])
    ]
    for average in ("micro", "macro"):
        macro = average == "macro"
        wanted = bootstrap(counts[1], macro=macro, **sampling)[2]
        row = only(evaluation.rows(), system="s1", metric="boundary.f1", average=average)
        assert row.interval == pytest.approx(wanted)
        p = randomisation(*counts, macro=macro, **sampling)[2]
        (found,) = [d for d in evaluation.differences(average=average) if d.metric == "boundary.f1"]
        assert (found.system, found.baseline, found.p) == ("s1", "s0", pytest.approx(p))
        first = only(evaluation.rows(), system="s0", metric="boundary.f1", average=average)
        assert found.value == pytest.approx(row.value - first.value)


def test_one_text_has_no_interval():
    text = {"t": Segmentation([3, 3])}
    evaluation = evaluate([text], [text, text], sampling={"resamples": 100})
    assert not evaluation.resampled
    assert {row.interval for row in evaluation.rows()} == {None}
    assert evaluation.differences() == []


def test_what_0_over_0_is_says_the_metric_unless_the_user_does():
    text = {"t": Segmentation([6])}
    rows = list(evaluate([text], [text]).rows())
    assert only(rows, metric="boundary-similarity", average="micro").value == 1
    found = only(rows, metric="boundary.f1", average="text")
    assert (isnan(found.value), found.undefined) == (True, "nothing proposed, nothing expected")
    assert "undefined in 1 text" in only(rows, metric="boundary.f1", average="macro").undefined
    rows = list(evaluate([text], [text], sampling={"zero_division": 0.0}).rows())
    found = only(rows, metric="boundary-similarity", average="micro")
    assert (found.value, "undefined:0" in found.signature) == (0, True)
    assert only(rows, metric="boundary.f1", average="macro").value == 0


def test_a_text_that_a_metric_refuses_is_named_or_left_out():
    texts = {"a": Segmentation([4, 4]), "b": Segmentation([2]), "c": Segmentation([3, 3])}
    with pytest.raises(SegmentationError, match=r"^text 'b': pk: k is 2 and the text has 2 units"):
        list(evaluate([texts], [texts], ["pk"]).rows())
    evaluation = evaluate([texts], [texts], ["pk", "boundary"], refused="leave")
    rows = list(evaluation.rows())
    assert list(evaluation.refusals()["pk"]) == [1]
    assert only(rows, metric="pk", text="b").k is None
    assert "k is 2" in only(rows, metric="pk", text="b").undefined
    assert only(rows, metric="pk", average="micro").denominator == 6 + 4
    assert only(rows, metric="boundary.f1", average="micro").value == 1
    assert "refused:leave" in only(rows, metric="pk", average="micro").signature
    short = {"b": Segmentation([2])}
    with pytest.raises(SegmentationError, match="text 'b': pk"):
        list(evaluate([short], [short], ["pk"], refused="leave").rows())


def test_types_flow_to_the_metrics_that_use_them():
    gold, hyp = ({"t": Segmentation([2, 2], [[kind]])} for kind in (1, 2))
    rows = list(evaluate([gold], [hyp]).rows())
    assert only(rows, metric="boundary-similarity", average="micro").value == 0
    assert only(rows, metric="boundary.f1", average="micro").value == 1
    with pytest.raises(InputError, match="types of boundaries have no majority"):
        list(evaluate([gold, hyp], [hyp], combination="majority").rows())
    mixed = {"t": Segmentation([2, 2])}
    with pytest.raises(SegmentationError, match=r"^text 't': boundary-similarity"):
        list(evaluate([gold], [mixed], ["boundary-similarity"]).rows())


def test_signatures_have_every_option(family):
    rows = list(evaluate(family[:1], family[3:4], ["window-diff(k=4)"]).rows(texts=False))
    bound = parse_metric("window-diff(k=4)").signature("average:micro")
    assert rows[0].signature.startswith(f"{bound}|texts:12|bitext:")
    assert bound == "window-diff|k:4|padded:no|weighted:no|average:micro"
    assert (rows[0].metric, rows[0].k, rows[0].better) == ("window-diff(k=4)", 4, "lower")


def test_options_of_metrics_are_checked_when_they_run(family):
    with pytest.raises(OptionError, match=r"^window-diff\(k=0\): k is 0: want a whole number"):
        list(evaluate(family[:1], family[3:4], ["window-diff(k=0)"]).rows())
    named = NamedMetric(all_metrics()["pk"], {"k": 3})
    assert score(named, tables(family[:1]), tables(family[3:4])[0]).k.tolist() == [3] * TEXTS


def test_texts_are_scored_in_blocks(family):
    references, hyps = tables(family[:2]), tables(family[3:])
    for metric in all_metrics().values():
        if metric.over == "segmentation" or metric.name == "wisebe":
            for hyp in hyps:
                whole = score(NamedMetric(metric, {}), references, hyp)
                parts = score(NamedMetric(metric, {}), references, hyp, at_once=5)
                assert parts.columns == pytest.approx(whole.columns, rel=1e-12, nan_ok=True)
                assert (parts.k is None) == (whole.k is None)
                assert whole.k is None or np.array_equal(parts.k, whole.k)


def test_a_text_that_wisebe_refuses_is_named_in_every_block():
    one = {name: Segmentation([2, 2]) for name in "abc"}
    for wrong in "abc":
        bare = {**one, wrong: Segmentation([4])}
        named = f"^text '{wrong}': wisebe: no reference has a"
        with pytest.raises(InputError, match=named):
            list(evaluate([bare, bare], [one], ["wisebe"]).rows())
        for at_once in (1, 2, 5):
            with pytest.raises(InputError, match=named):
                score(
                    parse_metric("wisebe", also=("wisebe",)),
                    tables([bare] * 2),
                    tables([one])[0],
                    at_once=at_once,
                )
