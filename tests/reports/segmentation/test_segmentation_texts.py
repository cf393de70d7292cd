from __future__ import annotations

import pytest

from bitext import Segmentation
from bitext.metrics.evaluation import Sampling
from bitext.metrics.evaluation.segmentations import SegmentEvaluation
from bitext.metrics.registry import parse_metrics
from bitext.model.segmentation import Segmentations
from bitext.reports.segmentation.page import evaluation_page, shown_texts, worst_first


def table(**texts):
    return Segmentations.of({name: Segmentation(*parts) for name, parts in texts.items()})


GOLD = table(a=([2, 4],), b=([3, 3], [{1}]), c=([1, 1, 4],), d=([2],))
GOOD = table(a=([2, 4],), b=([3, 3], [{2}]), c=([1, 1, 4],), d=([2],))
BAD = table(a=([1, 1, 4],), b=([3, 3], [{1}]), c=([6],), d=([2],))


def evaluated(*hyps, metrics=("window-diff(k=2)", "boundary"), **options):
    return SegmentEvaluation(
        systems=["good", "bad"][: len(hyps)],
        metrics=parse_metrics(metrics),
        references=[GOLD],
        hyps=hyps,
        options=Sampling(resamples=0),
        **options,
    )


def test_texts_are_ordered_by_how_many_boundaries_or_types_differ():
    assert worst_first(GOLD, [GOOD]) == ([1, 0, 2, 3], [1, 0, 0, 0])
    assert worst_first(GOLD, [BAD]) == ([2, 0, 1, 3], [2, 1, 0, 0])
    assert worst_first(GOLD, [GOOD, BAD])[1] == [2, 1, 1, 0]


def test_the_values_of_a_text_are_those_of_the_evaluation():
    evaluation = evaluated(GOOD, BAD, metrics=("pk(k=2)", "boundary"), refused="leave")
    texts = shown_texts(evaluation, {0: ["x"] * 6}, most=3)
    assert [text.name for text in texts] == ["c", "a", "b"]
    assert [text.units is None for text in texts] == [True, False, True]
    rows = {(r.system, r.text, r.metric): r.value for r in evaluation.rows() if r.text is not None}
    labels = ["pk(k=2)", "boundary.precision", "boundary.recall", "boundary.f1"]
    for text in texts:
        for system, values in zip(("good", "bad"), text.values, strict=True):
            for label, value in zip(labels, values, strict=True):
                wanted = rows[system, text.name, label]
                shown = "undefined" if wanted != wanted else f"{wanted:.4f}"  # noqa: PLR0124
                assert value == shown
    assert shown_texts(evaluation, {}, most=9)[-1].values[0][0] == "undefined"  # d is too short


@pytest.mark.parametrize("average", ["micro", "macro"])
def test_the_page_has_the_figures_of_the_average_asked_for(average):
    evaluation = evaluated(GOOD, BAD, metrics=("segmentation-similarity",))
    html = evaluation_page(evaluation, references=["gold"], averages=(average,))
    value = next(r.value for r in evaluation.rows(averages=(average,), texts=False))
    assert f">{value:.4f}<" in html.split('id="figures"')[1]
    assert f"4 texts, {average} average" in html
    assert "good, bad against gold" in html
