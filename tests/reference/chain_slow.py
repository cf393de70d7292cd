"""Chains of two labels by trying all labels, and texts with made-up features to learn from."""

from itertools import pairwise, product

import numpy as np

from bitext.segment.features.text import EdgeColumn, NodeRows, TextFeatures


def all_chains(nodes, moves):
    """Every labelling that begins with a start, with its score."""
    for rest in product((0, 1), repeat=len(nodes) - 1):
        labels = (1, *rest)
        score = sum(nodes[k] for k in range(1, len(nodes)) if labels[k])
        score += sum(moves[labels[k - 1]][labels[k]] for k in range(1, len(nodes)))
        yield labels, score


def transitions(starts, n):
    """The transitions of a segmentation: start-start, start-inside, inside-inside, inside-start."""
    labels = [int(k in set(starts)) for k in range(n)]
    found = list(pairwise(labels))
    return [found.count(pair) for pair in ((1, 1), (1, 0), (0, 0), (0, 1))]


def made_up(seed, *, texts=12, sentences=60, columns=30, longest=20, noise=0.5):
    """Texts whose paragraphs can be told from their features, but for some noise."""
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=columns)
    features, golds = [], []
    for _ in range(texts):
        matrix = rng.normal(size=(sentences, columns)) * (rng.random((sentences, columns)) < 0.3)
        lengths = np.arange(longest, 0, -1, dtype=np.uint8)
        lengths = EdgeColumn(columns, bins=np.broadcast_to(lengths, (sentences, longest)))
        features.append(TextFeatures(rows_of(matrix), [lengths], longest))
        decided = matrix @ truth + noise * rng.normal(size=sentences) > 0.3
        decided[0] = True
        golds.append(np.flatnonzero(decided))
    return features, golds


def rows_of(matrix):
    """Make sparse rows of a dense matrix."""
    lines, idx = np.nonzero(matrix)
    ptr = np.searchsorted(lines, np.arange(len(matrix) + 1))
    return NodeRows(ptr.astype(np.int64), idx.astype(np.int64), matrix[lines, idx])


def bare(n, longest=20):
    """A text of n sentences without features."""
    return TextFeatures(rows_of(np.zeros((n, 1))), [], longest)


def share_right(method, features, golds):
    """The share of decisions that a method gets right."""
    right = total = 0
    for text, gold in zip(features, golds, strict=True):
        found = np.isin(np.arange(text.n), method.boundaries(text))
        right += int((found == np.isin(np.arange(text.n), gold))[1:].sum())
        total += text.n - 1
    return right / total
