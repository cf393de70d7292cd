import inspect

from bitext.metrics import Metric, all_metrics, arcade
from bitext.metrics.comparison import MEASURES
from bitext.metrics.registry import metric


def test_every_metric_is_found_by_its_name():
    found = all_metrics()
    assert found["arcade"] is arcade
    assert list(found) == sorted(found)
    for name, made in found.items():
        assert isinstance(made, Metric)
        assert made.name == name


def test_every_metric_tells_what_it_is_and_where_it_is_from():
    for made in all_metrics().values():
        assert made.over in {"alignment", "segmentation", "coders"}
        assert made.better in {"higher", "lower"}
        assert made.source
        assert made.summary.endswith(".")
        if made.over != "coders":
            assert list(inspect.signature(made).parameters)[:2] == ["gold", "hyp"]


def test_options_are_the_keywords_with_their_defaults():
    assert arcade.options == {"words": "space", "characters": "codepoint", "min_matched": 0.9}
    assert arcade.measures == MEASURES
    assert repr(arcade) == "<Metric arcade>"


def test_a_metric_is_a_function_with_a_form_over_many():
    @metric("m", over="segmentation", better="lower", source="s", many=lambda g, h: [(g, h)])
    def mine(gold, hyp, *, k=None):
        """Say both."""
        return gold, hyp, k

    assert mine(1, 2, k=3) == (1, 2, 3)
    assert mine.many([1], [2]) == [([1], [2])]
    assert (mine.__name__, mine.__doc__, mine.summary) == ("mine", "Say both.", "Say both.")
    assert mine.options == {"k": None}
    assert mine.measures == ()
