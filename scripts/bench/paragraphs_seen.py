"""What the measurements of paragraphs share: texts with features, and the semi-Markov model."""

from __future__ import annotations

import sys
import time
from copy import copy
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from bitext.segment.features.text import NodeRows, TextFeatures
from bitext.segment.method import tune_offset
from bitext.segment.semi_markov import decode
from bitext.segment.training import train

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.model import Text
    from bitext.segment.features.model import FeatureModel

    Starts = NDArray[np.int64]

LONGEST, COST, PASSES = 50, 0.01, 10
COSTS = {"default": (0.01, 0.02, 0.05), "paper": (0.05, 0.2, 0.5)}


class Seen:
    """Texts with their features and the starts of their paragraphs."""

    def __init__(self, model: FeatureModel, texts: Sequence[Text]) -> None:
        self.texts = texts
        self.features = [model.of(text) for text in texts]
        self.golds = [starts_of(text) for text in texts]

    def less(self, kept: NDArray[np.bool_]) -> Seen:
        """Return the same with some features only: as if the others were never made."""
        made = copy(self)
        made.features = [_less(features, kept) for features in self.features]
        return made


def _less(features: TextFeatures, kept: NDArray[np.bool_]) -> TextFeatures:
    ptr, idx, values = features.nodes
    stay = kept[idx]
    before = np.concatenate([[0], np.cumsum(stay)])
    nodes = NodeRows(before[ptr], idx[stay], values[stay])
    edges = [column for column in features.edges if kept[column.first]]
    return TextFeatures(nodes, edges, features.longest)


def starts_of(text: Text) -> Starts:
    """Return the first sentences of the paragraphs of a text."""
    inner = [] if text.paragraphs is None else text.paragraphs.boundaries.tolist()
    return np.array([0, *inner], dtype=np.int64)


def semi_markov(learn: Seen, size: int, *, cost: float = COST) -> NDArray[np.float64]:
    """Return the weights of a semi-Markov model."""
    return train(learn.features, learn.golds, size, solver="bcfw", cost=cost, passes=PASSES).weights


def tuned(
    learn: Seen, size: int, dev: Seen, costs: Sequence[float]
) -> tuple[NDArray[np.float64], float, float]:
    """Return the weights, offset and cost that are best for F1 on the development parts."""
    tried = []
    for k, cost in enumerate(costs):
        weights = semi_markov(learn, size, cost=cost)
        decoders = [partial(segmented, text, weights) for text in dev.features]
        offset, value = tune_offset(dev.golds, decoders)
        tried.append((value, -k, offset, weights))
    _, k, offset, weights = max(tried, key=lambda found: found[:2])
    return weights, offset, costs[-k]


def segmented(features: TextFeatures, weights: NDArray[np.float64], offset: float) -> Starts:
    """Return the best paragraphs of a text."""
    nodes = features.node_scores(weights) + offset
    return decode(nodes, features.edge_scores(weights))[0]


def tell(*what: str) -> None:
    """Say on standard error what is being measured."""
    print(time.strftime("%H:%M:%S"), *what, file=sys.stderr, flush=True)
