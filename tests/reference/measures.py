"""The measures of alignments on sets, straight from their definitions."""

from itertools import product

MEASURES = ("alignment", "sentence", "word", "character", "strict", "lax")


def as_set(beads):
    """Return the alignment as a set of pairs of sets."""
    return {(frozenset(src), frozenset(tgt)) for src, tgt in beads}


def held(beads):
    """Return the pairs of segments that some bisegment holds."""
    return {pair for src, tgt in beads for pair in product(src, tgt)}


def weight(pairs, src, tgt):
    return sum(src[s] * tgt[t] for s, t in pairs)


def overlaps(bead, other):
    return bool(bead[0] & other[0]) and bool(bead[1] & other[1])


def full(beads):
    """Leave out the bisegments with an empty side."""
    return {bead for bead in beads if bead[0] and bead[1]}


def right(judged, others, *, lax):
    """Count the bisegments that are in the other alignment, or overlap one of it on both sides."""
    holding = {}  # a segment of the source: only such bisegments can overlap one that has it
    for other in others:
        for segment in other[0]:
            holding.setdefault(segment, []).append(other)
    return sum(
        bead in others
        or (lax and any(overlaps(bead, other) for s in bead[0] for other in holding.get(s, ())))
        for bead in judged
    )


def counts(gold, hyp, measure, src=None, tgt=None):
    """Return (hits, proposed, expected, found); `src` and `tgt` are weights where asked for."""
    gold, hyp = as_set(gold), as_set(hyp)
    if measure == "alignment":
        both = len(gold & hyp)
        return both, len(hyp), len(gold), both
    if measure in {"strict", "lax"}:
        lax = measure == "lax"
        asked = full(gold)
        return (
            right(hyp, gold, lax=lax),
            len(hyp),
            len(asked),
            right(asked, full(hyp), lax=lax),
        )
    if measure == "sentence":
        src = tgt = _One()
    expected, proposed = held(gold), held(hyp)
    both = weight(expected & proposed, src, tgt)
    return both, weight(proposed, src, tgt), weight(expected, src, tgt), both


class _One:
    """Weighs everything 1."""

    def __getitem__(self, _):
        return 1


def all_counts(gold, hyp, src_texts=None, tgt_texts=None):
    """Return the counts of every measure that can be had, by measure."""
    out = {m: counts(gold, hyp, m) for m in ("alignment", "sentence", "strict", "lax")}
    if src_texts is not None and tgt_texts is not None:
        for measure, length in (("word", words), ("character", len)):
            src, tgt = ([length(x) for x in texts] for texts in (src_texts, tgt_texts))
            out[measure] = counts(gold, hyp, measure, src, tgt)
    return out


def words(segment):
    return len(segment.split())


def ratios(hits, proposed, expected, found):
    """Return precision, recall and F as `None` where undefined."""
    p = hits / proposed if proposed else None
    r = found / expected if expected else None
    if p is None or r is None:
        return p, r, None
    return p, r, 2 * p * r / (p + r) if p + r else 0.0
