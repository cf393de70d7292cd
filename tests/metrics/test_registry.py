import inspect
import pickle
from functools import partial

import pytest

from bitext import Segmentation
from bitext.errors import IgnoredTypesWarning, InputError
from bitext.metrics import (
    Metric,
    all_metrics,
    arcade,
    boundary_similarity,
    fleiss_kappa,
    pk,
    window_diff,
)
from bitext.metrics.arcade import MEASURES
from bitext.metrics.registry import BLOCK, metric


def test_every_metric_is_found_by_its_name():
    found = all_metrics()
    assert found["arcade"] is arcade
    assert list(found) == sorted(found)
    for name, made in found.items():
        assert isinstance(made, Metric)
        assert made.name == name


def test_every_metric_tells_what_it_is_and_where_it_is_from():
    for made in all_metrics().values():
        assert made.over in {"alignment", "segmentation", "coders", "word links"}
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


def test_types_that_count_nothing_are_told():
    """Both have the same places, and no type in common: 0 by types, 1 by places."""
    gold = Segmentation.from_types([["act"], [], ["scene"]])
    hyp = Segmentation.from_types([["scene"], [], ["act"]])
    for of_places in (pk, window_diff):
        with pytest.warns(IgnoredTypesWarning, match=f"^{of_places.name}: types of boundaries"):
            assert of_places(gold, hyp).value == 0
    with pytest.warns(IgnoredTypesWarning, match="^fleiss-kappa: types of boundaries"):
        assert fleiss_kappa([gold, hyp]).value == 1
    assert fleiss_kappa([gold, hyp], observed="B").observed == 0  # B looks at them
    assert boundary_similarity(gold, hyp).value == 0
    alone = Segmentation.from_types([["act"], [], ["act"]])
    assert pk(alone, Segmentation([1, 2, 1])).value == 0  # one type says nothing
    assert pk.many([alone], [alone])[0].value == 0


def test_a_metric_can_be_sent_to_another_process():
    for made in all_metrics().values():
        assert pickle.loads(pickle.dumps(made)) is made
    found = pickle.loads(pickle.dumps(partial(window_diff, k=2)))
    assert found(Segmentation([2, 3]), Segmentation([3, 2])).k == 2


def test_coefficients_have_a_form_over_many_codings():
    one, other = [Segmentation([2, 3]), Segmentation([3, 2])], [Segmentation([2, 3])] * 2
    assert fleiss_kappa.many([one, other]) == [fleiss_kappa(one), fleiss_kappa(other)]
    with pytest.raises(TypeError, match="wants one list of codings"):
        fleiss_kappa.many([one], [other])


def test_lists_and_options_of_many_are_checked():
    one = Segmentation([2, 3])
    with pytest.raises(TypeError, match=r"pk\.many wants gold standards and hypotheses"):
        pk.many([one])
    with pytest.raises(TypeError, match=r"pk\.many wants two lists of segmentations"):
        pk.many((s for s in [one]), [one])
    with pytest.raises(InputError, match=r"pk\.many pairs texts by their order, .* have names"):
        pk.many({"a": one}, {"a": one})
    texts = dict.fromkeys(range(BLOCK + 1), one)
    assert len(pk.many(texts.values(), [one] * len(texts))) == len(texts)
    with pytest.raises(TypeError, match=r"arcade\.many wants two lists$"):
        arcade.many(iter([]), [])
    with pytest.raises(InputError, match=r"mappings to bitext\.evaluate$"):
        arcade.many({}, {})
    with pytest.raises(TypeError, match=r"pk\.many has no option 'kk'"):
        pk.many([one], [one], kk=3)
    with pytest.raises(TypeError, match="arcade is not over pairs of segmentations"):
        arcade.pairs(None)


def test_series_with_the_same_labels_in_other_orders_are_not_paired():
    import pandas as pd

    gold = pd.Series([Segmentation([2, 3]), Segmentation([1, 4])], index=["x", "y"])
    for scored, values in ((pk, gold), (arcade, pd.Series([0, 1], index=["x", "y"]))):
        with pytest.raises(InputError, match="same labels in different orders, 'x' and 'y' at"):
            scored.many(values, values[::-1])
    unnamed = gold.set_axis(pd.Index([pd.NA, 1], dtype="Int64"))
    with pytest.raises(InputError, match=r"same labels in different orders, <NA> and .*1.* at"):
        pk.many(unnamed, unnamed[::-1])
    others = gold.to_numpy(), pd.Series([*gold]), pd.Series([*gold], index=["z", "x"])
    for hyp in (gold, *others):
        assert [ratio.value for ratio in pk.many(gold, hyp)] == [0.0, 0.0]


def test_sets_have_no_order_by_which_pairs_are_made():
    both = {Segmentation([1, 2]), Segmentation([2, 1])}
    for name, pair in (("gold standards", (both, [*both])), ("hypotheses", ([*both], both))):
        with pytest.raises(InputError, match=f"the {name} are .*: want a list"):
            pk.many(*pair)
