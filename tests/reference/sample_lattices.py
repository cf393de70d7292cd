"""Lattices that tests of drawings share: small texts of our own, and hostile ones."""

from __future__ import annotations

import random
from types import SimpleNamespace

from bitext.model import Cluster, Lattice, Sentence

TOWN = [
    "The old bridge closed on Friday after the storm .",
    "After the storm the bridge closed .",
    "The bridge stays closed , the mayor said .",
]
# Which words share a node: equal letters; a point is a word by itself.
_LETTERS = ["T.bc......", "...Tbc.", "Tb.c....."]
HOSTILE = [
    "<script>alert(1)</script> \"quotes\" & 'more' ]]> --> </style>",
    "\u202eright \u2066to left\u2069 \x00\x1b[31m null\x07 \u2028 sep \ufffe\ud800",
    "شهدت المدينة عاصفة " + "x" * 10_000,
    "日本語の長い文 e\u0301\u0301\u0301 👩‍👩‍👧 {{7*7}} ${x} &lt; <img src=x onerror=alert(1)>",
    "tower a" + "\u0301" * 3_000 + " " + "b\u200d" + "\u0489\u0316\u200d" * 1_000,
]


def town():
    """Return three sentences of two sources, with shared words."""
    number = {}
    groups = []
    for sentence, letters in enumerate(_LETTERS):
        row = []
        for place, letter in enumerate(letters):
            name = (sentence, place) if letter == "." else letter
            row.append(number.setdefault(name, len(number)))
        groups.append(row)
    # The last words, full stops, are one node.
    for row in groups:
        row[-1] = 10_000
    sources = ["Herald", "Post", "Herald"]
    sentences = [
        Sentence(text.split(), id=f"s{k}", source=source)
        for k, (text, source) in enumerate(zip(TOWN, sources, strict=True), 1)
    ]
    return Lattice(Cluster(sentences, id="town"), groups)


def hostile():
    """Return sentences that would like to steer the page; they share a first and a last word."""
    sentences = [
        Sentence([*text.split(" "), "."], id=text[:12], source=text[-9:]) for text in HOSTILE
    ]
    sentences[0] = Sentence(sentences[0].tokens, id=sentences[0].id, source="Gazette" * 1_500)
    groups, own = [], 10
    for sentence in sentences:
        groups.append([*range(own, own + len(sentence) - 1), 0])
        own += len(sentence)
    return Lattice(Cluster(sentences, id='<b onload="x">\u202e'), groups)


def many(sentences, words, seed=1):
    """Return a lattice of random choices of shared and own words."""
    draw = random.Random(seed)
    rows, groups = [], []
    for sentence in range(sentences):
        forms, numbers = [], []
        for place in range(words):
            if draw.random() < 0.5:
                forms.append(f"word{place}")
                numbers.append(place)
            while draw.random() < 0.3:
                forms.append("own")
                numbers.append(1000 + sentence * 1000 + len(numbers))
        rows.append(Sentence([*forms, "."]))
        groups.append([*numbers, 999])
    return Lattice(Cluster(rows), groups)


def crossed(lattice, *, first=0, second=1):
    """Return something like a paraphrase: it begins as one sentence and ends as another."""
    one, two = lattice.path(first), lattice.path(second)
    meet = next(node for node in one[1:] if node in two)
    nodes = [*one[: one.index(meet)], *two[two.index(meet) :]]
    words = nodes[1:-1]
    at = words.index(meet) if meet in words else len(words)
    return SimpleNamespace(
        text=" ".join(lattice.form(node) for node in words),
        nodes=nodes,
        spans=((0, at, (first,)), (at, len(words), (second,))),
    )
