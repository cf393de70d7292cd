"""Statistics: exact counts, bounded quantiles, and sums over parts and shards."""

import statistics as reference

import numpy as np
import pytest

from bitext import Alignment, Bitext, Text
from bitext.formats.convert.statistics import Description, Distribution, describe
from bitext.formats.io.source import Notes
from bitext.formats.reading import FileOptions


def described(*bitexts):
    description = Description()
    for bitext in bitexts:
        description.add(bitext)
    return description


def pair(src, tgt, beads, **more):
    texts = Text(src, lang="en"), Text(tgt, lang="fr")
    return Bitext(*texts, Alignment(beads, **more))


def test_lengths_are_exact():
    values = np.random.default_rng(0).integers(0, 300, 2_000)
    lengths = Distribution()
    for part in np.array_split(values, 7):
        lengths.add(part)
    assert lengths.size == 2_000
    assert lengths.mean == pytest.approx(values.mean())
    for share in (0.05, 0.5, 0.95, 1):
        assert lengths.quantile(share) == np.quantile(values, share, method="inverted_cdf")
    assert (lengths.least, lengths.most) == (values.min(), values.max())
    assert sum(count for *_, count in lengths.bins()) == 2_000


@pytest.mark.parametrize("scale", [1e-300, 1, 1e300])
def test_quantiles_of_real_numbers_are_exact_to_a_twentieth_of_a_percent(scale):
    values = np.random.default_rng(1).normal(0, 1, 2_000) * scale
    scores = Distribution(whole=False)
    scores.add([*values, np.nan, np.inf])
    for share in (0.05, 0.25, 0.75, 0.95):
        exact = np.quantile(values, share, method="inverted_cdf")
        assert scores.quantile(share) == pytest.approx(exact, rel=0.0005)
    assert sum(count for *_, count in scores.bins()) == 2_000


def test_extreme_values_are_not_rounded():
    scores = Distribution(whole=False)
    scores.add([0.7, 0.7, 1.0, 0.0])
    assert [scores.quantile(share) for share in (0, 1)] == [0, 1]
    assert scores.quantile(0.5) == pytest.approx(0.7, rel=0.0005)


def test_one_value_has_one_bin():
    scores = Distribution(whole=False)
    scores.add([0.5, 0.5])
    ((low, high, count),) = scores.bins()
    assert low <= 0.5 < high
    assert count == 2
    assert Distribution().bins() == []


def test_what_is_counted():
    one = pair(
        ["a b a", "c", "", "a b a"],
        ["x y", "z", "x y"],
        [((0,), (0,)), ((1, 2), (1,)), ((3,), (2,))],
    )
    description = described(one)
    assert description.bead_types == {"1-1": 2, "2-1": 1}
    assert description.languages == {"en-fr": 1}
    assert description.src.sentences == 4
    assert description.src.words.total == 7
    assert description.src.types == {"a", "b", "c"}
    assert description.src.characters.quantile(0.5) == reference.median_low([5, 1, 0, 5])
    assert description.ratios.size == 3
    assert description.scores.size == 0
    assert description.repeats() == {"both": (1, 3), "src": (1, 3), "tgt": (1, 3)}


def test_a_pair_and_the_same_pair_exchanged_are_no_duplicates():
    description = described(pair(["a", "b"], ["b", "a"], [((0,), (0,)), ((1,), (1,))]))
    assert description.duplicates() == (0, 2)


def test_sides_without_characters_are_no_duplicates():
    description = described(pair(["a", "a"], ["", ""], [((0,), (0,)), ((1,), (1,))]))
    assert description.repeats() == {"both": (0, 0), "src": (1, 2), "tgt": (0, 0)}


def test_texts_known_by_position_have_bisegments_alone():
    positions = Bitext(None, None, Alignment([((0,), (0,)), ((1,), ())]))
    description = described(positions, pair(["a", "a"], ["x"], [((0,), (0,)), ((1,), ())]))
    assert description.bead_types == {"1-1": 2, "1-0": 2}
    assert description.src.sentences == 2
    assert description.repeats()["both"] == (0, 1)


@pytest.mark.parametrize("cut", [1, 17, 39])
def test_shards_and_parts_add_up_to_the_whole(tmp_path, cut):
    lines = [f"s {k % 9} {'w ' * (k % 5)}.\tt {k % 9}\t0.{k}\n" for k in range(1, 41)]
    summaries = []
    for name, kept in (("all", lines), ("one", lines[:cut]), ("two", lines[cut:])):
        (tmp_path / f"{name}.tsv").write_text("src\ttgt\tscore\n" + "".join(kept), "utf-8")
    reading = FileOptions(format="tsv", part_size=7)
    whole = describe(str(tmp_path / "all.tsv"), reading=reading, notes=Notes())
    assert whole.texts == 1
    shards = Description(whole.name)
    for name in ("two", "one"):
        shards.include(describe(str(tmp_path / f"{name}.tsv"), reading=reading, notes=Notes()))
    shards.texts -= 1
    shards.languages.subtract({"-": 1})
    summaries = [each.summary() for each in (whole, shards)]
    assert summaries[0] == summaries[1]
