"""Texts of made-up features, with gold paragraphs that follow weights drawn before."""

import numpy as np

from bitext.segment.features.text import EdgeColumn, NodeRows, TextFeatures
from bitext.segment.semi_markov import decode


def draw_text(rng, n, longest, *, size=40, per=5, edges=3, garbage=False):
    """Some features a sentence, and columns of edges: of the length, of bins, of numbers.

    Return the text and the number of its weights. With `garbage`, cells that are no paragraphs
    have bins beyond the weights.
    """
    rows = [np.unique(rng.integers(0, size, rng.integers(0, per + 1))) for _ in range(n)]
    ptr = np.concatenate([[0], np.cumsum([len(row) for row in rows])]).astype(np.int64)
    idx = np.concatenate([*rows, np.zeros(0)]).astype(np.int64)
    nodes = NodeRows(ptr, idx, rng.choice([1.0, 0.5], len(idx)))
    lengths = longest - np.arange(longest)
    columns, first = [], size
    none = lengths[None, :] > np.arange(n)[:, None] + 1
    for k in range(edges):
        if k % 4 == 3:
            values = rng.normal(size=(n, longest)).astype(np.float32)
            columns.append(EdgeColumn(first, values=values))
            first += 1
            continue
        if k == 0:
            bins = np.broadcast_to(np.minimum(lengths, 6) - 1, (n, longest)).astype(np.uint8)
        else:
            bins = rng.integers(0, 6, (n, longest)).astype(np.uint8)
        if garbage:
            bins = np.where(none, 255, bins).astype(np.uint8)
        columns.append(EdgeColumn(first, bins=bins))
        first += 6
    return TextFeatures(nodes, columns, longest), first


def draw_corpus(seed, texts, n, longest, **options):
    """Return texts, gold paragraphs that noisy weights make, and the number of weights."""
    rng = np.random.default_rng(seed)
    drawn = [draw_text(rng, n, longest, **options) for _ in range(texts)]
    size = drawn[0][1]
    weights = rng.normal(size=size)
    golds = [
        decode(text.node_scores(weights) + rng.normal(size=n) - 0.5, text.edge_scores(weights))[0]
        for text, _ in drawn
    ]
    return [text for text, _ in drawn], golds, size


def add_segmentation(text, totals, starts, factor=1.0):
    """Add the features of a segmentation, given the first sentences of its paragraphs."""
    text.add_nodes(totals, starts[1:], np.full(len(starts) - 1, factor))
    text.add_edges(totals, starts, np.append(starts[1:], text.n), np.full(len(starts), factor))
