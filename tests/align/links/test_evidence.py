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


def _odds(share, all_shares):
    return (1 - all_shares) / (1 - share)


def test_lifts_are_ratios_of_odds_shrunk_to_their_priors():
    classes = _classes("a a", "b")
    often = np.array([39.0])
    lifts = Lifts.estimate(classes, np.array([4.0]), np.array([8.0]), often)
    assert lifts.of(classes) == pytest.approx(1)  # the only class is linked as all are
    assert Lifts.estimate(classes, np.zeros(1), np.ones(1), often).of(classes) == pytest.approx(1)
    two = classes._replace(spelling=np.array([0, 1]), frequency=np.array([5, 5]))
    links, cells = np.array([30.0, 10.0]), np.array([99.0, 99.0])
    lifts = Lifts.estimate(two, links, np.array([40.0, 40.0]), cells)
    every = 40 / 199
    assert lifts.spelling[0] == pytest.approx((30 + 1) / (20 + 1) * _odds(0.3, every))
    assert lifts.spelling[1] == pytest.approx((10 + 1) / (20 + 1) * _odds(0.1, every))
    assert lifts.frequency[5] == pytest.approx(41 / (20 * (31 / 21) + 20 * (11 / 21) + 1))


def test_equal_words_have_a_lift_before_any_is_linked():
    for pair, prior in (("kigali kigali", 50), ("1848 1848", 50), ("; ;", 50), ("bonn bonn", 7)):
        classes = _classes(*pair.split())
        other = _classes("tree", "baum")
        both = classes._replace(
            spelling=np.concatenate([classes.spelling, other.spelling]),
            frequency=np.array([5, 5]),
        )
        lifts = Lifts.estimate(both, np.array([0.0, 9.0]), np.array([0.0, 30.0]), np.ones(2) * 99)
        ordinary = lifts.spelling[other.spelling[0]] / _odds(0.09, 9 / 199)
        assert ordinary == pytest.approx(1)
        assert lifts.spelling[classes.spelling[0]] == pytest.approx(prior * _odds(0, 9 / 199))


def test_equal_words_that_are_all_linked_have_higher_odds_than_the_length_of_sentences():
    classes = _classes("a", "b")._replace(spelling=np.array([0, 50]), frequency=np.array([5, 5]))
    links, chance = np.array([90.0, 10.0]), np.array([99.0, 1.0])
    lifts = Lifts.estimate(classes, links, chance, np.array([1000.0, 10.0]))
    assert lifts.spelling[0] < 20
    assert lifts.spelling[50] > 50


_STEMS = [
    *("pik", "som", "andik", "safir", "lim", "ogop", "chek", "tembe", "end", "rud", "fany", "sem"),
    *("fund", "elez", "uliz", "onge", "fik", "toka"),
]


def test_families_of_languages_with_prefixes_share_their_ending():
    swahili = [p + stem + "a" for stem in _STEMS for p in ("nina", "ana", "wali", "tuta", "ku")]
    src, tgt = Evidence.of(number([swahili]), number([[word[::-1] for word in swahili]]))
    words = number([swahili]).forms
    cooking = [src.family[words.index(word)] for word in ("ninapika", "walipika", "kupika")]
    assert len({*cooking}) == 1
    assert src.family[words.index("kusoma")] not in cooking
    assert np.bincount(tgt.family).tolist() == np.bincount(src.family).tolist()  # by beginnings
    few = number([swahili[:20]])
    assert Evidence.of(few, few).src.family.tolist() != src.family[:20].tolist()


def test_families_share_their_beginning():
    evidence = Evidence.of(number(["houses house housing dog"]), number(["x"]))
    assert len({*evidence.src.family.tolist()}) == 2
    assert evidence.src.within.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 3, 1])
