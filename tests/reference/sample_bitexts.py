"""Bitexts for the tests of pages: with every kind of difference, hostile, and long."""

from __future__ import annotations

import random

from bitext import Alignment, Bitext, Text

SRC = [
    "The ferry left the island at six.",
    "It was raining.",
    "Nobody stood on the quay.",
    (
        "The captain counted the lights of the town, one after the other, until the last of them "
        "had gone behind the hill and only the lighthouse was left."
    ),
    "Then he slept.",
    "In the morning the sea was calm.",
    "Two boats came in.",
    "They had herring.",
    "The market opened at eight.",
    "Everything was sold by nine.",
    "Children ran along the wall.",
    "A dog barked at the gulls.",
]
TGT = [
    "Le bac quitta l'île à six heures.",
    "Il pleuvait et il n'y avait personne sur le quai.",
    "Le capitaine compta les lumières de la ville, l'une après l'autre.",
    "Quand la dernière eut disparu derrière la colline, il ne resta que le phare.",
    "Il s'endormit.",
    "On n'entendait plus rien.",
    "Au matin, la mer était calme.",
    "Le marché ouvrit à huit heures.",
    "Deux bateaux rentrèrent avec du hareng.",
    "À neuf heures tout était vendu.",
    "Un chien aboyait après les mouettes.",
    "Des enfants couraient le long du mur.",
]
# Crossing (6 7 : 8 and 8 : 7), discontinuous (10 : 9 11), empty sides, and every kind.
GOLD = [
    ((0,), (0,)),
    ((1, 2), (1,)),
    ((3,), (2, 3)),
    ((4,), (4,)),
    ((), (5,)),
    ((5,), (6,)),
    ((6, 7), (8,)),
    ((8,), (7,)),
    ((9,), (9,)),
    ((10,), (11,)),
    ((11,), (10,)),
]
OURS = [
    ((0,), (0,)),
    ((1,), (1,)),
    ((2,), ()),
    ((3,), (2, 3)),
    ((4,), (4, 5)),
    ((5,), (6,)),
    ((6, 7), (8,)),
    ((8,), (7,)),
    ((9,), (9, 11)),
    ((10,), (10,)),
]
THEIRS = [*GOLD[:9], ((10, 11), (10, 11))]


def ferry():
    """Return a bitext, and two hypotheses: one with scores, one with but one difference."""
    src, tgt = Text(SRC, name="ferry.en"), Text(TGT, name="ferry.fr")
    bitext = Bitext(src, tgt, Alignment(GOLD), name="ferry")
    scores = [0.91, 0.4, 0.12, 0.83, 0.5, 0.88, 0.7, 0.66, 0.31, 0.05]
    return bitext, {"ours": Alignment(OURS, scores=scores), "theirs": Alignment(THEIRS)}


def hostile():
    """Return a bitext of texts, names and ids that try to act, and a hypothesis."""
    texts = [
        "</script><script>window.alerted = 1</script>",
        "<img src=x onerror='window.alerted = 2'>",
        "\u202eright to left\u202c and \u2067 isolated",
        "W" * 10_000,
        "a" + "\u0301" * 3_000,
        "tab\tbell\x07 null\x00 line\u2028end]]>-->",
        "漢字" * 300,
        "",
    ]
    ids = [f"<b>{k}</b>\u202e{'x' * 200}" for k in range(8)]
    src, tgt = Text(texts, ids=ids, name="<i>\u202e"), Text(texts[::-1], ids=ids, name="T" * 3_000)
    gold = Alignment([((k,), (7 - k,)) for k in range(8)])
    hyp = Alignment([((k,), (k,)) for k in range(8)], scores=[0.5] * 8)
    return Bitext(src, tgt, gold, name="</title><script>"), {"<u>\u202e" + "n" * 300: hyp}


def long_bitext(size=10_000, seed=7):
    """Return a long bitext in which one bisegment in ten differs."""
    draw = random.Random(seed)

    def word():
        return "".join(draw.choice("etaoinshrdlu") for _ in range(draw.randint(2, 9)))

    words = [word() for _ in range(4_000)]

    def sentence():
        return " ".join(draw.choice(words) for _ in range(draw.randint(3, 32))).capitalize() + "."

    gold, s, t = [], 0, 0
    while s < size and t < size:
        n, m = draw.choice([(1, 1)] * 17 + [(2, 1), (1, 2), (1, 0)])
        if s + n > size or t + m > size:
            break
        gold.append((tuple(range(s, s + n)), tuple(range(t, t + m))))
        s, t = s + n, t + m
    hyp = [
        bead if draw.random() > 0.1 else (bead[0], tuple(m + 1 for m in bead[1] if m + 1 < t))
        for bead in gold
    ]
    hyp = [bead for bead in hyp if bead[0] or bead[1]]
    src, tgt = (Text([sentence() for _ in range(size)]) for _ in range(2))
    scores = [round(draw.random(), 4) for _ in hyp]
    return Bitext(src, tgt, Alignment(gold), name="long"), {"ours": Alignment(hyp, scores=scores)}
