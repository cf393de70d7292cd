"""Paragraphs of a text of which some breaks are known: they stay, and the rest is found."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.model import Text
from bitext.segment.passages import Decision
from bitext.segment.semi_markov import decode, marginals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from bitext.segment.segmenter import ParagraphSegmenter

__all__ = ["decide_with", "within_breaks"]


def decide_with(
    segmenter: ParagraphSegmenter,
    sentences: list[str],
    kept: NDArray[np.bool_],
    *,
    confidence: bool = False,
) -> Decision:
    """Return the best paragraphs of a text among those that have all the known breaks.

    A semi-Markov model looks for them exactly: the text is seen as a whole, and paragraphs over a
    known break are none. To the breaks of another method the known ones are added.

    Parameters
    ----------
    segmenter : ParagraphSegmenter
        One that has learned.
    sentences : list of str
    kept : array of bool, shape (n,)
        Which sentences start a paragraph in any case; the first always does.
    confidence : bool
        Whether to tell how likely each sentence starts a paragraph: 1 where that is known.

    Raises
    ------
    InputError
        When there is not one `kept` a sentence.
    OptionError
        When confidences are asked of a method that has none.

    """
    n = len(sentences)
    if kept.shape != (n,):
        raise InputError(f"{len(kept)} known breaks for {n} sentences: want one each")
    starts = kept.copy()
    starts[:1] = True
    if starts.all() or not segmenter.breaks_:
        return Decision(starts, starts.astype(np.float64) if confidence else None)
    text = Text(sentences)
    if segmenter.method != "semi-markov":
        starts[segmenter.predict(text).boundaries] = True
        chances = segmenter.confidence(text) if confidence else None
        if chances is not None:
            chances[kept] = 1.0
        return Decision(starts, chances)
    features = segmenter.features_.of(text)
    nodes = features.node_scores(segmenter.weights_) + segmenter.offset_
    edges = within_breaks(features.edge_scores(segmenter.weights_), kept)
    starts[decode(nodes, edges)[0]] = True
    return Decision(starts, marginals(nodes, edges) if confidence else None)


def within_breaks(edges: NDArray[np.float64], kept: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return scores of paragraphs, those over a known break at minus infinity.

    Parameters
    ----------
    edges : array of float64, shape (n, M)
        As `TextFeatures.edge_scores` has them: cell (i, c) is the paragraph of M - c sentences
        that ends with sentence i.
    kept : array of bool, shape (n,)

    Examples
    --------
    >>> within_breaks(np.zeros((3, 2)), np.array([True, False, True])).tolist()
    [[0.0, 0.0], [0.0, 0.0], [-inf, 0.0]]

    """
    n, longest = edges.shape
    ends = np.arange(n)
    opened = np.maximum.accumulate(np.where(kept, ends, 0))
    over = (longest - np.arange(longest))[None, :] > (ends - opened + 1)[:, None]
    # Those before the text are no paragraphs, whatever stands there.
    over &= (longest - np.arange(longest))[None, :] <= (ends + 1)[:, None]
    return np.where(over, -np.inf, edges)
