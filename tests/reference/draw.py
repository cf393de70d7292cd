"""Hypothesis strategies: alignments of every shape, and texts.

Each is made once, as hypothesis looks into every new one: that takes longer than drawing from it.
Small numbers are drawn as the characters of one string, in a third of the time of one by one.
"""

import functools

from hypothesis import strategies as st

WORDS = ("a", "bb", "ccc.", "é", "e\u0301", "\U0001d49c", "中文", "x\u200by")
BLANKS = (" ", "  ", "\t", "\u3000", "\xa0")
PARTS = WORDS + BLANKS
GAPS = st.sampled_from(["", " ", "\t"])
SWITCH = st.booleans()
GROUPS = st.integers(1, 5)


@functools.cache
def numbers(below, *, least=0, most=None):
    """Return lists of `least` to `most` whole numbers from 0."""
    signs = "".join(map(chr, range(0x100, 0x100 + below)))
    return st.text(signs, min_size=least, max_size=most).map(lambda x: [ord(c) - 0x100 for c in x])


def some_of(values, *, least=0, most=None):
    """Return lists of `least` to `most` of some values."""
    held = tuple(values)
    return numbers(len(held), least=least, most=most).map(lambda found: [held[k] for k in found])


SEGMENTS = some_of(PARTS, most=4).map("".join)


@functools.cache
def sides(size, most=None):
    if not size:
        return st.just(frozenset())
    return numbers(size, most=most or size).map(frozenset)


@functools.cache
def few_beads(n_src, n_tgt, *, members=3, least=0, most=6):
    """Return lists of bisegments of which each side has a few members; not both are empty."""
    if not n_src + n_tgt:
        return st.just([])
    both = st.tuples(sides(n_src, members), sides(n_tgt, members)).filter(any)
    return st.lists(both, min_size=least, max_size=most)


@functools.cache
def beads(n_src, n_tgt):
    """Return pairs of sets, not both empty."""
    return st.tuples(sides(n_src), sides(n_tgt)).filter(lambda bead: bead[0] or bead[1])


@functools.cache
def alignments(n_src, n_tgt, most=6):
    """Return lists of bisegments that may cross, overlap, repeat and have an empty side."""
    if not n_src + n_tgt:
        return st.just([])
    return st.lists(beads(n_src, n_tgt), max_size=most)


@functools.cache
@st.composite
def partitions(draw, n_src, n_tgt):
    """Return bisegments in which no segment lies twice; not all segments need lie in one."""
    groups = draw(GROUPS)
    # Those of the last group are in no bisegment.
    src = draw(numbers(groups + 1, least=n_src, most=n_src))
    tgt = draw(numbers(groups + 1, least=n_tgt, most=n_tgt))
    made = [
        (
            frozenset(s for s, g in enumerate(src) if g == k),
            frozenset(t for t, g in enumerate(tgt) if g == k),
        )
        for k in range(groups)
    ]
    return [bead for bead in made if bead[0] or bead[1]]


up_to = functools.cache(functools.partial(st.integers, 0))
orders = functools.cache(lambda size: st.permutations(range(size)))


@functools.cache
@st.composite
def compared(draw, most=6):
    """Return n_src, n_tgt, gold and hyp; hyp has some bisegments of gold, so that some are hit."""
    n_src, n_tgt = draw(up_to(most)), draw(up_to(most))
    if draw(SWITCH):
        return n_src, n_tgt, draw(partitions(n_src, n_tgt)), draw(partitions(n_src, n_tgt))
    gold = draw(alignments(n_src, n_tgt))
    kept = [gold[k] for k in draw(numbers(len(gold), most=4))] if gold else []
    hyp = kept + draw(alignments(n_src, n_tgt, 4))
    return n_src, n_tgt, gold, [hyp[k] for k in draw(orders(len(hyp)))]


@functools.cache
def weights(size, most=3):
    return numbers(most + 1, least=size, most=size)


@functools.cache
@st.composite
def segments(draw, count):
    """Return that many segments of words and blanks, some of them empty."""
    return [draw(SEGMENTS) for _ in range(count)]


@st.composite
def recut(draw, parts):
    """Return the same text cut into other segments, with other white space and empty segments."""
    solid = "".join("".join(part.split()) for part in parts)
    cuts = sorted(draw(numbers(len(solid) + 1, most=5)))
    out = []
    for low, high in zip([0, *cuts], [*cuts, len(solid)], strict=True):
        gap = draw(GAPS)
        out.append(gap + gap.join(solid[low:high]) if draw(SWITCH) else solid[low:high])
    return out
