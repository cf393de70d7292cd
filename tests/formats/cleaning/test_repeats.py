"""Duplicates and near-duplicates of bisegments: the sets of words, and judgements made apart."""

import random
from hashlib import blake2b

import numpy as np
import pytest
import regex

from bitext.errors import InputError
from bitext.formats.cleaning import Pair, Side
from bitext.formats.cleaning.repeats import (
    Decided,
    Recording,
    RepeatJudge,
    Repeats,
    Step,
    digest_rows,
    of_rows,
    word_sets,
)

DENSE = r"[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"
WORDS = regex.compile(rf"(?=[\pL\pM\pN]){DENSE}|(?:(?!{DENSE})[\pL\pM\pN])+")


def slow_words(src, tgt):
    """The words of both sides, as the documentation has them."""
    words = set()
    for number, side in enumerate((src, tgt)):
        own = WORDS.findall(side.lower()) or ["".join(side.split())]
        words |= {(number, word) for word in own if word}
    return words


ROWS = [
    ("The mill, the MILL!", "Le moulin."),
    ("the mill the mill", "le-moulin"),
    ("...", "—"),
    ("", "  "),
    ("東京へ行く。", "ไปโตเกียว 2024"),
    ("x_1 ÉTÉ e\u0301te\u0301", "naïve 12"),
    ("*", "le moulin"),
]


def test_words_are_those_of_the_definition():
    sets = word_sets(Pair(Side([row[0] for row in ROWS]), Side([row[1] for row in ROWS])))
    slow = [slow_words(*row) for row in ROWS]
    assert sets.lengths.tolist() == [len(each) for each in slow]
    for k in range(len(ROWS)):
        for j in range(k):
            common = np.intersect1d(sets.row(k), sets.row(j))
            assert len(common) == len(slow[k] & slow[j])


def chunks(seed):
    """Chunks of digests and words of made sentences, many of them nearly the same."""
    rng = random.Random(seed)
    rows = []
    for _ in range(120):
        words = [f"w{rng.randrange(400)}" for _ in range(9)]
        if rows and rng.random() < 0.5:
            words = rng.choice(rows).split()
            words[rng.randrange(9)] = rng.choice([words[0], "new", "other"])
        rows.append(" ".join(words))
    for begin in range(0, len(rows), 25):
        part = rows[begin : begin + 25]
        pair = Pair(Side(part), Side(part), np.arange(begin, begin + len(part)))
        yield pair.numbers, digest_rows(part, part), word_sets(pair)


STEPS = Step("a"), Step("b", 0.8)


def passing(repeats, files):
    """The values of both steps; the second judges what passes the first."""
    result = []
    for numbers, digests, words in files:
        first = repeats.values(STEPS[0], numbers, lambda d=digests: d)
        rows = np.flatnonzero(first == 0)
        second = repeats.values(STEPS[1], numbers[rows], lambda w=words, r=rows: of_rows(w, r))
        result += [first.tolist(), second.tolist()]
    return result


def test_judgements_on_records_are_those_of_one_pass():
    files = [[*chunks(seed)] for seed in (1, 1, 2)]
    whole = Repeats()
    wanted = [passing(whole, file) for file in files]
    assert any(0 < value < 1 for each in wanted for values in each for value in values)
    judge = RepeatJudge(STEPS)
    for file, values in zip(files, wanted, strict=True):
        recording = Recording()
        passing(recording, file)
        decided = Decided("a.tsv", judge.decide(recording.record))
        assert passing(decided, file) == values
        decided.finish()


def test_a_file_that_is_another_in_the_second_pass_is_refused():
    file = [*chunks(1)]
    recording = Recording()
    passing(recording, file)
    values = RepeatJudge(STEPS).decide(recording.record)
    more, fewer = Decided("a.tsv", values), Decided("a.tsv", values)
    with pytest.raises(InputError, match=r"a.tsv: has other bisegments than when it was read"):
        passing(more, file + file)
    passing(fewer, file[:-1])
    with pytest.raises(InputError, match="try again"):
        fewer.finish()
    assert more.digest == fewer.digest != Decided("a.tsv", {}).digest


@pytest.mark.parametrize("half", ["", "\ud800"])
@pytest.mark.parametrize(("before", "size"), [("", 16), ("7\0", 8)])
def test_digests_are_those_of_the_joined_sides(half, before, size):
    src, tgt = ["The mill", f"a{half}", ""], ["Le moulin", "b", "東京"]
    wanted = [
        blake2b(f"{before}{a}\0{b}".encode("utf-8", "surrogatepass"), digest_size=size).digest()
        for a, b in zip(src, tgt, strict=True)
    ]
    digests = digest_rows(src, tgt, before=before, size=size)
    assert digests.shape == (3, size // 8)
    assert digests.astype("<u8").tobytes() == b"".join(wanted)
