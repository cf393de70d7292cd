"""Evidence for word links beside co-occurrence."""

import numpy as np
import pytest

from bitext.align.links.corpus import number
from bitext.align.links.evidence import Evidence, Lifts


def _classes(source, target):
    src, tgt = number([source]), number([target])
    pair = np.array([src.forms.index(source.split()[0].lower())], dtype=np.int32)
    other = np.array([tgt.forms.index(target.split()[0].lower())], dtype=np.int32)
    return Evidence.of(src, tgt).classes(pair, other, (src, tgt))


def _step(source, target):
    return int(_classes(source, target).spelling[0]) // 6


def test_similar_words_are_in_higher_classes():
    assert _step("nation", "nation") == 8
    assert _step("nation", "națiune") > _step("nation", "notice") > _step("nation", "people")


def test_diacritics_and_scripts_do_not_hide_equal_words():
    assert _step("président", "president") == 8
    assert _step("Moskva river", "москва река") == 8
    assert _step("norwegian words", "नार्वेजियन शब्द") > 1 >= _step("norwegian words", "पुस्तक शब्द")
    assert _step("。 日本", ". japan") == 8


def test_numbers_marks_and_words_are_kinds_of_their_own():
    pairs = ["a un", "tree arbre", "building immeuble", "12 13", ", ;", "a 1"]
    kinds = [int(_classes(*pair.split()).spelling[0]) % 6 for pair in pairs]
    assert kinds == [0, 1, 2, 3, 4, 5]


def test_the_ratio_of_frequencies_is_in_octaves_and_bounded():
    assert _classes("a a a a", "b").frequency.tolist() == [7]
    assert _classes("a", "b " * 100).frequency.tolist() == [0]


def test_lifts_are_ratios_shrunk_to_one():
    classes = _classes("a a", "b")
    lifts = Lifts.estimate(classes, np.array([4.0]), np.array([8.0]))
    assert lifts.of(classes) == pytest.approx(1)  # the only class is linked as all are
    assert Lifts.estimate(classes, np.zeros(1), np.ones(1)).of(classes) == pytest.approx(1)
    two = classes._replace(spelling=np.array([0, 1]), frequency=np.array([5, 5]))
    lifts = Lifts.estimate(two, np.array([30.0, 10.0]), np.array([40.0, 40.0]))
    assert lifts.spelling[:2] == pytest.approx([(30 + 2.5) / (20 + 2.5), (10 + 2.5) / (20 + 2.5)])
    assert lifts.frequency[5] == pytest.approx(
        42.5 / (20 * lifts.spelling[0] + 20 * lifts.spelling[1] + 2.5)
    )


def test_families_share_their_beginning():
    evidence = Evidence.of(number(["houses house housing dog"]), number(["x"]))
    assert len({*evidence.src.family.tolist()}) == 2
    assert evidence.src.within.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1])
