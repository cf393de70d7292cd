from __future__ import annotations

from functools import partial
from math import inf

import pytest

from bitext.errors import InputError, OptionError, SegmentationError
from bitext.metrics.registry import (
    ALIASES,
    NamedMetric,
    aliases_of,
    all_metrics,
    metric,
    metric_of,
    parse_metric,
    parse_metrics,
)
from bitext.metrics.segmentation import Pairs
from bitext.metrics.segmentation.boundary_scores import boundary_f
from bitext.metrics.segmentation.window_metrics import window_diff, window_sizes
from bitext.model import Ratios, Segmentation


def _pairs(pairs, *, k=None, script="minimal", **_unused):
    if script == "odd":
        raise InputError("the script is odd")
    sizes = window_sizes(pairs, k)
    return Ratios(pairs.gold.segments, pairs.sizes, k=sizes)


@metric("window-thing", over="segmentation", better="lower", source="s", pairs=_pairs)
def window_thing(gold, hyp, *, k=None, padded=False, script="minimal", cost=(1, 2)):
    """Say segments a unit."""
    return _pairs(Pairs.of([gold], [hyp]), k=k, padded=padded, script=script, cost=cost)[0]


@metric("bare", over="segmentation", better="higher", source="s", pairs=_pairs)
def bare(gold, hyp):
    """Have no options."""


@metric("arc", over="alignment", better="higher", source="s")
def arc(gold, hyp):
    """Be over alignments."""


AMONG = {"arc": arc, "bare": bare, "window-thing": window_thing}


def parse(given):
    return parse_metric(given, among=AMONG)


@pytest.mark.parametrize(
    ("given", "options"),
    [
        ("window-thing", {}),
        (" window-thing ( ) ", {}),
        ("window-thing(k=5)", {"k": 5}),
        ("window-thing(k=5, padded=True,)", {"k": 5, "padded": True}),
        ("window-thing(k=-5)", {"k": -5}),
        ("window-thing(k=None)", {"k": None}),
        ("window-thing(script=greedy)", {"script": "greedy"}),
        ("window-thing(script='a, b)')", {"script": "a, b)"}),
        ("window-thing(cost=(1, 0.5))", {"cost": (1, 0.5)}),
    ],
)
def test_options_are_literals_and_words(given, options):
    found = parse(given)
    assert found.metric is window_thing
    assert found.options == options


@pytest.mark.parametrize(
    "given", ["WindowThing", "window_thing", "Window-Thing(k=2)", "WINDOW-THING"]
)
def test_names_are_taken_in_any_case_and_without_hyphens(given):
    found = parse(given)
    assert found.metric is window_thing
    assert found.label.startswith("window-thing")


@pytest.mark.parametrize(
    ("alias", "over", "name"),
    [
        ("WindowDiff", "segmentation", "window-diff"),
        ("wd(k=3)", "segmentation", "window-diff"),
        ("Pk", "segmentation", "pk"),
        ("P_k", "segmentation", "pk"),
        ("A", "segmentation", "alignment-similarity"),
        ("b", "segmentation", "boundary-similarity"),
        ("S(max_transposition=2)", "segmentation", "segmentation-similarity"),
        ("GHD", "segmentation", "generalized-hamming"),
        ("WinPR", "segmentation", "winpr"),
        ("accuracy", "segmentation", "boundary-accuracy"),
        ("Krippendorff", "coders", "krippendorff-alpha"),
        ("WiSeBE", "coders", "wisebe"),
    ],
)
def test_metrics_are_taken_by_the_names_of_the_field_and_keep_their_own(alias, over, name):
    assert parse_metric(alias, over=over).name == name


def test_a_name_of_several_metrics_is_refused_with_the_choices():
    for given in ("F1", "precision", "f-measure"):
        with pytest.raises(
            OptionError, match=f"metric '{given}' may be one of several: want bound"
        ):
            parse_metric(given)
    with pytest.raises(OptionError, match=r"want cohen-kappa, fleiss-kappa, multi-kappa$"):
        parse_metric("kappa", over="coders")


def test_every_alias_is_of_metrics_that_there_are():
    known = all_metrics()
    assert {name for names in ALIASES.values() for name in names} <= known.keys()
    assert {alias.replace("-", "") for alias in known}.isdisjoint(ALIASES)
    assert aliases_of("window-diff") == ["wd", "windowdifference"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("windowthin", "no metric 'windowthin'; did you mean 'window-thing'"),
        ("window_thin", "did you mean 'window-thing'"),
        ("zzz", "no metric 'zzz'; the metrics: bare, window-thing$"),
        ("arc", "is over alignments: want one over segmentations: bare"),
        ("window-thing(paded=True)", "has no option 'paded'; did you mean 'padded'"),
        ("window-thing(zzz=1)", "has no option 'zzz'; its options: k, padded, script, cost"),
        ("bare(k=1)", "bare has no options; leave 'k' out"),
        ("window-thing(padded=true)", r"did you mean padded=True\?"),
        ("window-thing(padded=yes)", "padded is 'yes': want True or False"),
        ("window-thing(padded=1)", "padded is 1: want True or False"),
        ("window-thing(k=1+1)", r"k is 1 \+ 1: want a number, a text"),
        ("window-thing(k=open('x'))", r"k is open\('x'\): want a number"),
        ("window-thing(5)", "want every option with its name"),
        ("window-thing(**{'k': 5})", "want every option with its name"),
        ("window-thing(k=5, k=6)", "k is given twice"),
        ("window-thing(k=5", "want a name, or a name with options"),
        ("window-thing(k=5)(k=6)", "want options as name=value"),
        ("window-thing(k=)", "want options as name=value"),
        ("window-thing(k=5)+(1)", "want options as name=value"),
        ("", "want a name"),
        ("window-thing(k='\0')", "want options as name=value"),
    ],
)
def test_what_is_wrong_is_told(given, message):
    with pytest.raises(OptionError, match=message):
        parse(given)


def test_several_are_parted_at_commas_outside_brackets_and_quotes():
    given = ["bare,window-thing(k=5, script='x,(')", "window-thing(cost=(1, 3)), window-thing"]
    found = parse_metrics(given, among=AMONG)
    assert [m.label for m in found] == [
        "bare",
        "window-thing(k=5, script='x,(')",
        "window-thing(cost=(1, 3))",
        "window-thing",
    ]


def test_the_same_twice_is_refused_and_other_options_are_another():
    with pytest.raises(OptionError, match="asked for twice"):
        parse_metrics(["window-thing, window-thing(k=None)"], among=AMONG)
    assert len(parse_metrics(["window-thing, window-thing(k=2)"], among=AMONG)) == 2


def test_the_signature_has_every_option_and_the_label_those_that_differ():
    found = parse("window-thing(padded=True, k=None)")
    assert found.label == "window-thing(padded=True)"
    wanted = "window-thing|k:auto|padded:yes|script:minimal|cost:1,2|average:micro"
    assert found.signature("average:micro") == wanted


@pytest.mark.parametrize(
    ("given", "bounds"),
    [
        ("pk", (0, 1)),
        ("window-diff", (0, 1)),
        ("window-diff(weighted=True)", (0, inf)),
        ("slot-error-rate", (0, inf)),
        ("rand-index", (0, 1)),
        ("rand-index(adjusted=True)", (-inf, 1)),
    ],
)
def test_bounds_are_left_at_the_worse_end(given, bounds):
    assert parse_metric(given).bounds == bounds
    assert NamedMetric(metric_of(lambda *_: 2, "m")).bounds == (-inf, inf)


def test_options_reach_the_metric_and_its_errors_name_it():
    gold = Segmentation([2, 2])
    pairs = Pairs.of([gold], [gold])
    assert parse("window-thing(k=3)").pairs(pairs)[0].k == 3
    assert parse("window-thing(k=3)")(gold, gold).k == 3
    with pytest.raises(OptionError, match=r"^window-thing\(k='a'\): k is 'a': want a whole"):
        parse("window-thing(k=a)").pairs(pairs)
    with pytest.raises(SegmentationError, match=r"^window-thing\(k=9\): k is 9 and the text has"):
        parse("window-thing(k=9)").pairs(pairs)
    with pytest.raises(InputError, match=r"^window-thing\(script='odd'\): the script is odd"):
        parse("window-thing(script=odd)").pairs(pairs)


def test_a_metric_with_some_of_its_options_keeps_its_direction():
    with_k = metric_of(partial(partial(window_diff, k=1), padded=True), "wd-1")
    assert (with_k.better, with_k.source) == ("lower", window_diff.source)
    assert metric_of(partial(boundary_f, tolerance=1), "near").better == "higher"
    assert NamedMetric(with_k).bounds == (0, 1)
    assert NamedMetric(metric_of(partial(window_diff, weighted=True), "w")).bounds == (-inf, inf)
    own = partial(window_diff, k=1)
    own.better, own.source = "higher", "mine"
    assert (metric_of(own, "m").better, metric_of(own, "m").source) == ("higher", "mine")
