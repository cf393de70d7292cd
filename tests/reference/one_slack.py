"""Max-margin training as its formula says: all differences laid out, one constraint a pass.

The one-slack form (Joachims, Finley and Yu 2009): a constraint is a segmentation of every text
at once. The dual over the constraints found so far is solved by moving shares pair by pair.
"""

import numpy as np

from bitext.segment.semi_markov import decode


def phi(text, starts, size):
    """All features of a segmentation, by plain loops."""
    totals = np.zeros(size)
    ends = [*starts[1:], text.n]
    for start, end in zip(starts, ends, strict=True):
        if start:
            for e in range(text.nodes.ptr[start], text.nodes.ptr[start + 1]):
                totals[text.nodes.idx[e]] += text.nodes.values[e]
        for column in text.edges:
            cell = end - 1, text.longest - (end - start)
            if column.bins is not None:
                totals[column.first + int(column.bins[cell])] += 1.0
            else:
                totals[column.first] += float(column.values[cell])
    return totals


def objective(texts, golds, size, cost, weights):
    """The primal objective of weights."""
    return 0.5 * weights @ weights + cost * sum(violations(texts, golds, size, weights)[0])


def violations(texts, golds, size, weights):
    """What each text lacks at these weights; the loss and the difference of all together."""
    lacks, loss, apart = [], 0.0, np.zeros(size)
    for text, gold in zip(texts, golds, strict=True):
        starts, score = decode(text.node_scores(weights), text.edge_scores(weights), gold=gold)
        good = phi(text, list(gold), size)
        lacks.append(score - good @ weights)
        loss += len(set(starts.tolist()) ^ set(gold.tolist()))
        apart += good - phi(text, starts.tolist(), size)
    return lacks, loss, apart


def dual_of(texts, golds, size, cost, *, tolerance=1e-5, passes=3000):
    """Return the dual objective and the weights."""
    rows, losses = [np.zeros(size)], [0.0]  # the gold paragraphs themselves
    shares = np.array([cost])
    weights = np.zeros(size)
    for _ in range(passes):
        dual = shares @ np.array(losses) - 0.5 * weights @ weights
        lacks, loss, apart = violations(texts, golds, size, weights)
        if 0.5 * weights @ weights + cost * sum(lacks) - dual <= tolerance * max(dual, 1e-12):
            return dual, weights
        rows.append(apart)
        losses.append(loss)
        matrix = np.array(rows)
        shares = _by_pairs(matrix @ matrix.T, np.array(losses), np.append(shares, 0.0))
        weights = shares @ matrix
    raise RuntimeError("no convergence")


def _by_pairs(products, gains, shares):
    """Move a share from the worst constraint that has one to the best one, until all are even."""
    for _ in range(200_000):
        slope = gains - products @ shares
        best = int(slope.argmax())
        worst = int(np.where(shares > 0, slope, np.inf).argmin())
        if slope[best] - slope[worst] < 1e-9 * (1 + abs(gains).max()):
            break
        bend = products[best, best] + products[worst, worst] - 2 * products[best, worst]
        step = shares[worst]
        if bend > 0:
            step = min(step, (slope[best] - slope[worst]) / bend)
        shares[best] += step
        shares[worst] -= step
    return shares
