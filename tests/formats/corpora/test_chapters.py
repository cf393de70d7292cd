"""Pairing of chapters by their names and numbers, and their order."""

from __future__ import annotations

import random

import pytest

from bitext.formats.corpora import Corpus, Entry
from bitext.formats.corpora.chapters import (
    in_chapter_order,
    names_language,
    natural_key,
    pair_names,
    shell_order_notes,
    without_language,
)

WORDS = {"en": ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]}
WORDS["fr"] = ["un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix"]
WORDS["de"] = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun", "zehn"]
ROMAN = {k + 1: word for k, word in enumerate(["I", "II", "III", "IV", "V", "VI", "VII", "VIII"])}
ROMAN |= {9: "IX", 10: "X"}
CHAPTERS = {"en": "Chapter", "fr": "Chapitre", "de": "Kapitel"}
TITLES = ["mill", "river", "storm", "bread", "harbour", "winter", "letter", "bridge", "hill", "sea"]


def paired(src, tgt, **options):
    return [(src[p.src], tgt[p.tgt]) for p in pair_names(src, tgt, **options).pairs]


@pytest.mark.parametrize(
    ("src", "tgt"),
    [
        (["ch01", "ch02"], ["ch01", "ch02"]),
        (["ch01_en", "ch02_en", "ch10_en"], ["ch01_fr", "ch02_fr", "ch10_fr"]),
        (["Chapter 1", "Chapter 2", "Chapter 10"], ["Chapitre 01", "Chapitre 02", "Chapitre 10"]),
        (["01 - Die Mühle", "02 - Der Fluss"], ["1. The Mill", "2. The River"]),
        (["I - The Mill", "II - Bread", "IX - End"], ["1 Mühle", "2 Brot", "09 Ende"]),
        (["Chapter iv", "Chapter v"], ["Kapitel 4", "Kapitel 5"]),
        (["Chapter One", "Chapter Two"], ["Erstes Kapitel", "Zweites Kapitel"]),
        (["one", "two"], ["un", "deux"]),
        (["第一章", "第十二章", "第二十章"], ["Chapter 1", "Chapter 12", "Chapter XX"]),
        (["٣ باب", "٤ باب"], ["3", "4"]),
        (["novel2024_ch01", "novel2024_ch02"], ["roman_01", "roman_02"]),
        (["07 - The 39 Steps", "08 - End"], ["7", "8"]),
        (["2 of 10", "3 of 10"], ["2", "3"]),
        (["Book 1/ch 1", "Book 1/ch 2", "Book 2/ch 1"], ["1-1", "1-2", "2-1"]),
        (["mill final", "river"], ["mill", "river draft"]),
        (["Prologue_en", "ch1_en"], ["Prologue_fr", "ch1_fr"]),
    ],
)
def test_names_of_one_chapter_in_two_languages_are_paired(src, tgt):
    both = [*zip(src, tgt, strict=True)]
    assert paired(src, tgt) == both
    assert paired(src, tgt[::-1]) == both
    assert paired(tgt, src) == [pair[::-1] for pair in both]


def test_a_language_is_no_part_of_a_name_where_it_is_known():
    assert paired(["Mill (English)"], ["Mill [pt-BR]"], langs=("en-GB", "pt-BR")) != []
    assert paired(["Mill (English)"], ["Mill [pt-BR]"], langs=("en", "de")) == []
    assert names_language("ch1_EN", "eng")
    assert not names_language("Ende", "en")
    assert without_language("ch1_en-GB", "en-GB") == "ch1"
    assert without_language("français", "fr") == ""


@pytest.mark.parametrize(
    ("src", "tgt", "pairs"),
    [
        (["a", "ch 1"], ["a", "1 b", "1 c"], [("a", "a")]),  # a number that occurs twice
        (["the end"], ["el fin"], []),
        (["vol 1", "mix", "civil"], ["1", "2"], [("vol 1", "1")]),  # words of Roman letters
        (["a 1 2", "a 2 9"], ["b 1 2", "b 2 9"], [("a 1 2", "b 1 2"), ("a 2 9", "b 2 9")]),
    ],
)
def test_what_names_leave_open_is_not_paired(src, tgt, pairs):
    assert paired(src, tgt) == pairs


def test_another_reading_of_numbers_is_told():
    pairing = pair_names(["1 - 2", "2 - 1"], ["p1", "p2"])
    assert [(pair.src, pair.tgt) for pair in pairing.pairs] == [(0, 0), (1, 1)]
    assert pairing.other is not None
    assert (pairing.other.src, pairing.other.tgt) == (0, 1)
    assert pairing.other.by == "number 2, the last of the name"
    assert pair_names(["1 - x", "2 - y"], ["p1", "p2"]).other is None


def name_of(number, lang, style, title, chance):
    word = CHAPTERS[lang]
    return {
        "digits": f"{word} {number}",
        "padded": f"{word.lower()}_{number:03}",
        "roman": f"{word} {ROMAN[number]}",
        "word": f"{word} {WORDS[lang][number - 1]}",
        "title": f"{number} - {title}{chance.choice('äéx')}",
        "marked": f"{lang}-{number:02}",
    }[style]


@pytest.mark.parametrize("seed", range(40))
def test_pairs_are_those_of_the_numbers_whatever_the_order_and_what_is_missing(seed):
    """The oracle: chapters of which both sides have the number, and no others."""
    chance = random.Random(seed)
    langs = chance.sample(["en", "fr", "de"], 2)
    sides = []
    for lang in langs:
        style = chance.choice(["digits", "padded", "roman", "word", "title", "marked"])
        titles = chance.sample(TITLES, 10)
        numbers = sorted(chance.sample(range(1, 11), chance.randint(2, 10)))
        sides.append({k: name_of(k, lang, style, titles[k - 1], chance) for k in numbers})
    expected = {(sides[0][k], sides[1][k]) for k in sides[0] if k in sides[1]}
    names = [chance.sample([*side.values()], len(side)) for side in sides]
    assert set(paired(*names)) == expected


@pytest.mark.parametrize("seed", range(20))
def test_equal_names_win_and_no_file_is_in_two_pairs(seed):
    chance = random.Random(seed)
    some = ["1", "01", "ch1", "ch1_en", "ch2", "x 1", "x 2", "II", "2", "end", "end_fr", "3 4", "4"]
    src, tgt = (chance.sample(some, chance.randint(1, len(some))) for _ in range(2))
    pairs = pair_names(src, tgt).pairs
    assert len({p.src for p in pairs}) == len({p.tgt for p in pairs}) == len(pairs)
    assert {src[p.src] for p in pairs if p.by == "name"} == {*src} & {*tgt}
    other = chance.sample(src, len(src)), chance.sample(tgt, len(tgt))
    assert set(paired(*other)) == set(paired(src, tgt))


def test_chapters_are_sorted_as_they_are_counted():
    names = ["Chapter 1", "Chapter II", "Chapter three", "Chapter 10", "Epilogue"]
    order = ["Preface", *names]
    assert sorted(order, key=natural_key) == order
    assert sorted(["2/1", "10/1", "2/b", "2/10"], key=natural_key) == ["2/1", "2/10", "2/b", "10/1"]
    assert sorted(["two", "one", "three"], key=natural_key) == ["one", "three", "two"]
    assert sorted(["1/2", "10", "2", "1"], key=natural_key) == ["1", "1/2", "2", "10"]


def test_the_order_of_numbers_is_that_of_any_number_of_files():
    names = [f"ch{k}" for k in range(1, 1202)]
    entries = {name: Entry(name, f"{name}.tsv") for name in sorted(names)}
    ordered = in_chapter_order(Corpus("book", "folder", entries))
    assert [entry.name for entry in ordered] == names
    assert [*map(bool, map(shell_order_notes, (names, sorted(names))))] == [False, True]


@pytest.mark.parametrize(
    ("names", "noted"),
    [
        ("mill.tmx mill2.tmx", False),
        ("B.tmx a.tmx", False),
        ("mill.tmx mill/1.tmx", False),
        ("1/10.tmx 1/2.tmx", True),
        ("ch-ix.tmx ch-v.tmx", True),
        ("Body.tmx Preface.tmx", True),
    ],
)
def test_files_in_the_order_of_a_shell_are_noted_by_their_numbers(names, noted):
    assert bool(shell_order_notes(names.split())) == noted
