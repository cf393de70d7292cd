"""Where alignments differ, by loops."""

from collections import Counter

from reference.measures import held


def unique(beads):
    """Return the indices of the bisegments that are not repeats of an earlier one."""
    return [k for k, bead in enumerate(beads) if bead not in beads[:k]]


def places(gold, hyp, src, tgt):
    """Return {(gold indices, hyp indices): weight} of the linked groups of differing bisegments."""
    nodes = [("gold", k) for k in unique(gold) if gold[k] not in hyp]
    nodes += [("hyp", k) for k in unique(hyp) if hyp[k] not in gold]
    bead = {("gold", k): b for k, b in enumerate(gold)} | {("hyp", k): b for k, b in enumerate(hyp)}
    groups = [{node} for node in nodes]
    joined = True
    while joined:
        joined = False
        for i in range(len(groups)):
            for j in range(i):
                if any(_share(bead[a], bead[b]) for a in groups[i] for b in groups[j]):
                    groups[j] |= groups.pop(i)
                    joined = True
                    break
            if joined:
                break
    wrong = held(gold) ^ held(hyp)
    out = {}
    for group in groups:
        inside = held(bead[node] for node in group)
        key = tuple(
            tuple(sorted(k for side, k in group if side == wanted)) for wanted in ("gold", "hyp")
        )
        out[key] = sum(src[s] * tgt[t] for s, t in wrong & inside)
    return out


def _share(a, b):
    return bool(a[0] & b[0] or a[1] & b[1])


def bead_types(gold, hyp):
    """Return {type: (expected, found, {outcome: how often})}; an outcome is a sorted tuple."""
    out = {}
    for k in unique(gold):
        bead = gold[k]
        expected, found, became = out.get(_kind(bead), (0, 0, Counter()))
        if bead in hyp:
            found += 1
        else:
            became[tuple(sorted(_kind(hyp[h]) for h in unique(hyp) if _share(bead, hyp[h])))] += 1
        out[_kind(bead)] = (expected + 1, found, became)
    return out


def _kind(bead):
    return f"{len(bead[0])}-{len(bead[1])}"
