from math import isnan, nan

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bitext.errors import InputError, OptionError
from bitext.metrics import arcade
from bitext.metrics.arcade import MEASURES
from bitext.metrics.evaluation import Options
from bitext.metrics.evaluation.alignments import Evaluation
from bitext.model import Alignment, Bitext, Counts, Text
from reference import breakdown as slow_types
from reference import draw, measures
from reference import significance as slow

FEW = {"resamples": 50}


def bare(beads, name=""):
    return Bitext(None, None, Alignment(beads), name=name)


def full(src, tgt, beads, name=""):
    return Bitext(Text(src), Text(tgt), Alignment(beads), name=name)


def diagonal(n, shift=0):
    return [((k,), (k + shift,)) for k in range(n)]


def scored(texts, systems=("one",), **options):
    """Evaluate texts given as (gold, hyp of the first system, hyp of the second, ...)."""
    evaluation = Evaluation(list(systems), Options(**{**FEW, **options}))
    for k, (gold, *hyps) in enumerate(texts):
        evaluation.add(bare(gold), [bare(hyp) for hyp in hyps], f"t{k}")
    return evaluation


def row_of(rows, **wanted):
    (row,) = [r for r in rows if all(getattr(r, k) == v for k, v in wanted.items())]
    return row


def same(found, want):
    assert found == pytest.approx([nan if v is None else v for v in want], nan_ok=True)


@given(st.lists(draw.compared(), min_size=1, max_size=4), st.sampled_from([None, 0, 1]))
def test_rows_are_those_of_a_loop(texts, zero):
    evaluation = scored(
        [(gold, hyp) for _, _, gold, hyp in texts],
        resamples=0,
        zero_division=nan if zero is None else zero,
    )
    rows = evaluation.rows()
    assert evaluation.measures == ["alignment", "sentence", "strict", "lax"]
    for m in evaluation.measures:
        each = [measures.counts(gold, hyp, m) for _, _, gold, hyp in texts]
        values = [[slow.ratio(counts, k) for k in range(3)] for counts in each]
        values = [[zero if v is None else v for v in one] for one in values]
        for k, one in enumerate(values):
            row = row_of(rows, measure=m, average="text", text=f"t{k}")
            same(row.values, one)
            assert row.counts == Counts(*each[k])
        pooled = [sum(column) for column in zip(*each, strict=True)]
        micro = row_of(rows, measure=m, average="micro")
        same(micro.values, [zero if (v := slow.ratio(pooled, k)) is None else v for k in range(3)])
        assert micro.counts == Counts(*pooled)
        macro = row_of(rows, measure=m, average="macro")
        known = [[one[k] for one in values if one[k] is not None] for k in range(3)]
        same(macro.values, [sum(v) / len(v) if v else None for v in known])
        assert macro.counts is None
        assert micro.text is macro.text is None


def test_rows_come_by_measure_then_system_averages_first():
    texts = [(diagonal(2), diagonal(2), []), (diagonal(1), [], diagonal(1))]
    evaluation = scored(texts, ("a", "b"), measures=("strict", "alignment"))
    order = [(r.measure, r.system, r.average, r.text) for r in evaluation.rows()]
    assert order == [
        (m, s, average, text)
        for m in ("strict", "alignment")
        for s in ("a", "b")
        for average, text in [("micro", None), ("macro", None), ("text", "t0"), ("text", "t1")]
    ]
    only = evaluation.rows(averages=("macro",), texts=False)
    assert [(r.measure, r.system, r.average) for r in only] == [
        (m, s, "macro") for m in ("strict", "alignment") for s in ("a", "b")
    ]


def test_undefined_texts_are_left_out_of_the_mean_unless_they_count_as_something():
    texts = [(diagonal(2), diagonal(2)), (diagonal(2), [])]
    for zero, precision in ((nan, 1), (0, 0.5), (1, 1)):
        rows = scored(texts, zero_division=zero).rows()
        macro = row_of(rows, measure="sentence", average="macro")
        assert macro.values[:2] == (precision, 0.5)
        assert bool(macro.undefined) == isnan(zero)
    macro = row_of(scored(texts).rows(), measure="sentence", average="macro")
    assert macro.undefined == "undefined and left out: precision of 1 text"
    text = row_of(scored(texts).rows(), measure="sentence", average="text", text="t1")
    assert text.undefined == "nothing proposed"


@pytest.mark.parametrize("zero", [nan, 0, 1])
def test_intervals_and_differences_are_of_the_figures_that_are_shown(zero):
    texts = [(diagonal(3), diagonal(3) if k % 2 else [], diagonal(3)) for k in range(8)]
    evaluation = scored(texts, ("a", "b"), measures=("alignment",), zero_division=zero)
    rows = evaluation.rows(texts=False)
    for average in ("micro", "macro"):
        (difference,) = evaluation.differences(average=average)
        a, b = (row_of(rows, system=s, average=average) for s in ("a", "b"))
        same(difference.values, [y - x for x, y in zip(a.values, b.values, strict=True)])
        for row in (a, b):
            for value, interval in zip(row.values, row.intervals, strict=True):
                assert interval.low <= value <= interval.high


@pytest.mark.parametrize("zero", [nan, 0, 1])
@pytest.mark.parametrize("also", [("silence", "noise"), ("noise",)])
def test_silence_and_noise_are_the_complements_of_recall_and_precision(also, zero):
    texts = [(diagonal(3), diagonal(3) if k % 2 else [], diagonal(2)) for k in range(8)]
    options = {"measures": ("alignment",), "zero_division": zero}
    evaluation = scored(texts, ("a", "b"), also=also, **options)
    assert evaluation.figures == ("precision", "recall", "F1", *also)
    places = [{"silence": 1, "noise": 0}[name] for name in also]
    for row in evaluation.rows():
        same(row.values[3:], [1 - row.values[k] for k in places])
        for k, (low, high) in zip(places, (row.intervals or ())[3:], strict=False):
            same((low, high), [1 - end for end in row.intervals[k]][::-1])
    plain = scored(texts, ("a", "b"), **options)
    for row, other in zip(evaluation.rows(), plain.rows(), strict=True):
        same(row.values[:3], other.values)
    for average in ("micro", "macro"):
        for difference in evaluation.differences(average=average):
            for name, k in zip(range(3, 5), places, strict=False):
                assert difference.values[name] == pytest.approx(-difference.values[k])
                assert difference.p[name] == difference.p[k]


@pytest.mark.parametrize("also", [("f1",), ("noise", "noise"), ("",)])
def test_figures_that_there_are_not_are_refused(also):
    with pytest.raises(OptionError, match="want figures beside precision, recall and F1, each"):
        Options(also=also)


def test_identical_systems_do_not_differ():
    texts = [(diagonal(3), diagonal(3, k % 2), diagonal(3, k % 2)) for k in range(20)]
    for test in ("randomisation", "bootstrap"):
        for average in ("micro", "macro"):
            evaluation = scored(texts, ("a", "b"), measures=("alignment",), test=test)
            (difference,) = evaluation.differences(average=average)
            assert difference.values == (0, 0, 0)
            assert min(difference.p) > 0.5
    assert (difference.system, difference.baseline) == ("b", "a")


def test_the_bootstrap_of_few_texts_is_refused():
    texts = [(diagonal(3), diagonal(3, k % 2), diagonal(3)) for k in range(19)]
    evaluation = scored(texts, ("a", "b"), measures=("alignment",), test="bootstrap")
    told = r"a bootstrap test of 19 texts is of too few: give 20 or more, or leave test= out"
    for asked in (evaluation.differences, evaluation.sampling_notes):
        with pytest.raises(InputError, match=told):
            asked()
    one = scored([(diagonal(60), diagonal(60, 1), diagonal(60))], ("a", "b"), test="bootstrap")
    with pytest.raises(InputError, match="a bootstrap test of 10 blocks of one text is of"):
        one.differences()


def test_what_few_texts_are_worth_is_said():
    def notes(texts, systems=("a", "b"), **options):
        hyps = [diagonal(3)] * len(systems)
        return scored([(diagonal(3), *hyps)] * texts, systems, **options).sampling_notes()

    told = "in made corpora of as many, those of 95% held the true figure in 74% of cases"
    assert notes(3, interval="bootstrap") == [
        f"bootstrap intervals of 3 texts are too narrow: {told}"
    ]
    assert notes(3, test="randomisation") == [
        "p cannot fall below 0.25 with 3 texts (randomisation): no difference gets a star"
    ]
    assert [note[:40] for note in notes(7, test="randomisation")] == [
        "p cannot fall below 0.01562 with 7 texts"
    ]
    assert len(notes(8, interval="bootstrap")) == 1
    assert notes(3) == notes(8, test="randomisation") == notes(1) == notes(3, resamples=0) == []


def test_clearly_different_systems_differ():
    texts = [(diagonal(9), diagonal(9, 1), diagonal(9)) for _ in range(12)]
    evaluation = scored(texts, ("poor", "good"), measures=("sentence",), resamples=500)
    for average in ("micro", "macro"):
        (difference,) = evaluation.differences(average=average)
        assert difference.values == (1, 1, 1)
        assert max(difference.p) < 0.01


def test_every_other_system_is_tested_against_the_first():
    texts = [(diagonal(3), diagonal(3), diagonal(3, 1), []) for _ in range(3)]
    evaluation = scored(texts, ("a", "b", "c"), measures=("alignment", "lax"))
    found = [(d.measure, d.system, d.baseline) for d in evaluation.differences()]
    assert found == [(m, s, "a") for m in ("alignment", "lax") for s in ("b", "c")]


def test_one_text_is_resampled_in_blocks():
    evaluation = scored([(diagonal(100), diagonal(70))])
    assert evaluation.resampled == "10 blocks of one text"
    for m in evaluation.measures:
        units = evaluation.units(0, m)
        (counts,) = evaluation.counts(0, m)
        assert units.shape == (10, 4)
        assert units.sum(axis=0).tolist() == [
            counts.hits,
            counts.proposed,
            counts.expected,
            counts.found,
        ]
    row = row_of(evaluation.rows(), measure="alignment", average="micro")
    assert row.intervals[1].low < 0.7 < row.intervals[1].high


@pytest.mark.parametrize(
    ("texts", "options"),
    [([(diagonal(4), diagonal(4))], {}), ([(diagonal(4), [])] * 3, {"resamples": 0}), ([], {})],
)
def test_too_little_is_not_resampled(texts, options):
    evaluation = scored(texts, **options)
    assert evaluation.resampled == ""
    assert evaluation.differences() == []
    if texts:
        assert {row.intervals for row in evaluation.rows()} == {None}


def test_texts_may_be_added_after_figures_were_asked_for():
    early = Evaluation(["a"], Options(**FEW))
    late = Evaluation(["a"], Options(**FEW))
    for k in range(3):
        gold, hyp = bare(diagonal(60)), bare(diagonal(60 - 20 * k))
        early.add(gold, [hyp], f"t{k}")
        early.rows()
        late.add(gold, [hyp], f"t{k}")
    assert early.rows() == late.rows()
    assert early.resampled == "3 texts"


def test_measures_that_a_text_does_not_allow_are_left_out_with_the_reason():
    evaluation = Evaluation(["a"], Options(**FEW))
    links = diagonal(1)
    evaluation.add(full(["a"], ["b"], links), [bare(links)], "with")
    assert evaluation.measures == list(MEASURES)
    evaluation.add(bare(links), [bare(links)], "without")
    assert evaluation.measures == ["alignment", "sentence", "strict", "lax"]
    reason = "without lacks the source text and the target text"
    assert evaluation.left_out == {"word": reason, "character": reason}
    assert {row.measure for row in evaluation.rows()} == set(evaluation.measures)


def test_a_measure_that_was_asked_for_must_be_had():
    evaluation = Evaluation(["a"], Options(measures=("word",)))
    with pytest.raises(
        InputError, match=r"doc: word granularity needs the source text and the tar"
    ):
        evaluation.add(bare(diagonal(1), "doc"), [bare(diagonal(1))])


def test_texts_are_named_by_the_caller_the_gold_standard_or_their_number():
    evaluation = Evaluation(["a"], Options(**FEW))
    for gold, name in ((bare([], "own"), "given"), (bare([], "own"), ""), (bare([]), "")):
        evaluation.add(gold, [bare([])], name)
    assert evaluation.texts == ["given", "own", "3"]


def test_exchanged_sides_are_noticed():
    rng_gold = [((k, k + 1), (k // 2,)) for k in range(0, 40, 2)]
    turned = [(t, s) for s, t in rng_gold]
    evaluation = scored([(rng_gold, turned, rng_gold)] * 3, ("wrong", "right"))
    assert list(evaluation.swapped_systems()) == ["wrong"]
    given_f1, exchanged_f1 = evaluation.swapped_systems()["wrong"]
    assert given_f1 < 0.1
    assert exchanged_f1 == 1


def test_a_poor_system_is_not_taken_for_an_exchanged_one():
    gold = [((k, k + 1), (k // 2,)) for k in range(0, 40, 2)]
    assert scored([(gold, [((k,), (39 - k,)) for k in range(20)])]).swapped_systems() == {}
    turned = [(t, s) for s, t in gold]
    mostly_right = [(gold, gold)] * 3 + [(gold, turned)]
    assert scored(mostly_right).swapped_systems() == {}


def test_positions_that_are_all_shifted_are_noticed():
    gold = [((k, k + 1), (k // 2,)) for k in range(0, 80, 2)]
    moved = [((a + 1, b + 1), (c,)) for (a, b), (c,) in gold]
    slipped = [*gold[:20], *moved[20:]]  # half of it is a fault of the system
    evaluation = scored([(gold, moved, slipped, gold)] * 3, ("moved", "slipped", "right"))
    (note,) = evaluation.shifted_notes()
    assert note.startswith("moved: fits better with positions 1 lower in the source (of the")
    assert "0.0000 are found as given, 1.0000 so" in note


def test_the_smallest_of_shifts_that_fit_alike_is_told():
    gold = [((k,), (k,)) for k in range(60)]
    (note,) = scored([(gold, [((k,), (k + 1,)) for k in range(60)])], ("a",)).shifted_notes()
    assert "positions 1 lower in the target (of" in note or "1 higher in the source (of" in note


def test_positions_of_few_bisegments_are_not_taken_for_shifted():
    gold = [((k,), (k,)) for k in range(9)]
    assert scored([(gold, [((k + 1,), (k,)) for k in range(9)])]).shifted_notes() == []


def test_exchanged_sides_are_refused_by_identifier():
    gold = Bitext(Text.of_ids("abc"), Text.of_ids("xyz"), Alignment(diagonal(3)))
    evaluation = Evaluation(["a"], Options(**FEW))
    with pytest.raises(InputError, match="its other side fits: are the sides swapped"):
        evaluation.add(gold, [gold.swapped()])


def test_sides_that_do_not_meet_when_exchanged_are_not_taken_for_exchanged():
    gold = Bitext(Text(["a"], ids=["s"]), None, Alignment(diagonal(1)))
    hyp = Bitext(Text(["a"], ids=["s"]), None, Alignment(diagonal(1, 1)))
    evaluation = Evaluation(["a"], Options(**FEW))
    evaluation.add(gold, [hyp])
    assert evaluation.swapped_systems() == {}


@settings(max_examples=30)
@given(st.lists(draw.compared(), min_size=1, max_size=3))
def test_the_breakdown_is_pooled_over_the_texts(texts):
    evaluation = Evaluation(["a"], Options(**FEW), detailed=True)
    for _, _, gold, hyp in texts:
        evaluation.add(bare(gold), [bare(hyp)])
    expected = {}
    for _, _, gold, hyp in texts:
        for kind, (n, found, _) in slow_types.bead_types(gold, hyp).items():
            before = expected.get(kind, (0, 0))
            expected[kind] = (before[0] + n, before[1] + found)
    rows = [row for row in evaluation.bead_types(0) if row.expected]
    assert {row.type: (row.expected, row.found) for row in rows} == expected
    assert scored([]).bead_types(0) == []


def test_what_changes_a_figure_is_in_the_signature():
    texts = [(diagonal(1), diagonal(1))] * 2
    plain = row_of(scored(texts).rows(), measure="lax", average="micro").signature
    assert plain.startswith(
        "lax|average:micro|texts:2|resampled:2-texts|interval:jackknife|level:0.95|"
        "words:space|characters:codepoint|min-matched:0.9|undefined:nan|bitext:"
    )
    signed = {plain}
    changes = [
        {"words": "unicode"},
        {"characters": "grapheme"},
        *({"min_matched": share} for share in (0.5, 0.8999999, 0.89999999)),
        *({"level": level} for level in (0.5, 0.9999999, 0.99999999)),
        *({"zero_division": value} for value in (0, 0.12345678, 0.12345679)),
        {"interval": "bootstrap"},
        {"interval": "bootstrap", "seed": 3},
        {"interval": "bootstrap", "resamples": 51},
    ]
    for options in changes:
        other = row_of(scored(texts, **options).rows(), measure="lax", average="micro")
        signed.add(other.signature)
    assert len(signed) == len(changes) + 1
    other = row_of(scored(texts, zero_division=0).rows(), measure="lax", average="macro")
    assert "lax|average:macro" in other.signature
    assert "undefined:0.0" in other.signature
    text = row_of(scored(texts).rows(), measure="lax", text="t1").signature
    assert text.startswith("lax|average:text|words:space|")
    two = scored([(diagonal(1), diagonal(1), diagonal(1))] * 2, systems=("a", "b"))
    assert "|level:0.95|test:t|words:" in two.rows()[0].signature


def test_the_signature_tells_that_missing_texts_count_as_empty():
    texts = [(diagonal(1), diagonal(1)), (diagonal(1), [])]
    signed = []
    for missing in ("leave", "empty"):
        evaluation = Evaluation(["a"], Options(**FEW), similar=True, missing=missing)
        for gold, hyp in texts:
            evaluation.add(bare(gold), [bare(hyp)])
        rows = [*evaluation.rows(), *evaluation.similarity_rows()]
        signed.append([evaluation.signature("x", averages=("micro", "macro"))])
        signed[-1] += [row.signature for row in rows]
    assert signed[0][0].startswith("x|average:micro,macro|texts:2|resampled:2-texts|")
    assert all("|missing:empty|words:" in one for one in signed[1])
    assert [one.replace("|missing:empty", "") for one in signed[1]] == signed[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"measures": ("alignment", "phrase")},
            r"granularity 'phrase' is not known: alignment, se",
        ),
        (
            {"test": "sign"},
            r"test 'sign' is not known: want one of auto, randomisation, t, bootstrap",
        ),
        ({"level": 1.0}, r"confidence level is 1\.0: want one between 0 and 1"),
        ({"level": 0}, r"confidence level is 0: want one between 0 and 1"),
        ({"level": "x"}, r"confidence level is 'x': want one between 0 and 1"),
        ({"resamples": 10.0}, r"resamples is 10\.0: want a whole number of draws, 0 or more"),
        ({"seed": -1}, "the seed is -1: want 0 or more"),
        ({"seed": 1.5}, r"seed is 1\.5: want a whole number, 0 or more"),
        ({"zero_division": "x"}, "zero_division is 'x': want a number"),
        ({"zero_division": 2}, "zero_division is 2: want a figure that .* may have, from 0 to 1"),
        ({"min_matched": None}, "min_matched is None: want a number"),
        ({"resamples": -1}, r"-1 resamples: want 0 \(none\) or more"),
        ({"min_matched": 1.5}, r"min_matched is 1\.5: want a share from 0 to 1"),
        ({"words": "spaces"}, r"counter 'spaces' is not known; did you mean 'space'\?"),
        ({"characters": "byte"}, r"counter 'byte' is not known"),
    ],
)
def test_an_option_that_is_not_allowed_is_named_with_what_is(options, message):
    with pytest.raises(OptionError, match=message):
        Options(**options)


def test_without_a_text_there_are_no_figures():
    with pytest.raises(InputError, match=r"no text was scored: give at least one"):
        scored([]).rows()


def test_what_is_added_is_compared_as_by_arcade():
    gold, hyp = (full(["a b", "c"], ["x", "y"], d) for d in (diagonal(2), diagonal(1)))
    evaluation = Evaluation(["a"], Options(**FEW))
    (comparison,) = evaluation.add(gold, [hyp], "t")
    assert comparison.ground.src.size == 2
    assert {m: evaluation.counts(0, m) for m in MEASURES} == {
        m: [counts] for m, counts in arcade(gold, hyp).items()
    }


def test_a_text_that_is_refused_leaves_no_trace():
    text = Text(["a b"])
    whole = Bitext(text, text, Alignment([((0,), (0,))]), name="whole")
    bare = Bitext(None, None, Alignment([((0,), (0,))]), name="bare")
    evaluation = Evaluation(["s"], Options(measures=("sentence", "word")))
    evaluation.add(whole, [whole])
    with pytest.raises(InputError, match="bare: word granularity needs"):
        evaluation.add(bare, [bare])
    with pytest.raises(InputError, match="2 hypotheses for 1 systems"):
        evaluation.add(whole, [whole, whole])
    assert evaluation.texts == ["whole"]
    assert {row.counts.hits for row in evaluation.rows(averages=["micro"])} == {1, 4}


@pytest.mark.parametrize("measures", [(), ("lax", "lax")])
def test_measures_are_asked_for_once_each(measures):
    with pytest.raises(OptionError, match="want each once, one or more"):
        Options(measures=measures)


def test_words_of_a_script_without_blanks_are_noted():
    chinese = full(["The mill stood still."], ["磨坊停了整整一年。"], diagonal(1))
    evaluation = Evaluation(["one"], Options(resamples=0))
    evaluation.add(chinese, [chinese], "mill")
    (note,) = evaluation.matched_notes()
    assert "words of the target text are counted by blanks" in note
    again = Evaluation(["one"], Options(resamples=0))
    again.add_state(evaluation.state())
    assert again.matched_notes() == [note]
    for options in ({"words": "unicode"}, {"measures": ("sentence",)}):
        other = Evaluation(["one"], Options(resamples=0, **options))
        other.add(chinese, [chinese], "mill")
        assert not other.matched_notes()


def test_a_seed_without_draws_is_noted():
    evaluation = scored([(diagonal(4), diagonal(4))] * 3, seed=3)
    assert any("no effect, as nothing is drawn" in note for note in evaluation.sampling_notes())


def test_options_of_intervals_of_too_few_units_are_noted():
    for options, names in (({"test": "t", "level": 0.9}, "confidence=, test="), ({}, "")):
        evaluation = scored([(diagonal(4), diagonal(4))], **options)
        told = f"{names}: no effect, as there are too few bisegments to resample"
        assert evaluation.sampling_notes() == [told] * bool(names)
