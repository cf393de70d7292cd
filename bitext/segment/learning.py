"""What training texts teach of each column: bins, ranges, vocabularies, the rarity of words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError
from bitext.segment.asking import edge_parts, node_columns, numbers_of
from bitext.segment.bag_of_words import RarityWeights, counts_of
from bitext.segment.columns import Scalar
from bitext.segment.edge_features import EdgeLabels
from bitext.segment.learned_columns import Seen, used_lexicons
from bitext.segment.lexicons import Lexicons
from bitext.segment.text_view import NO_BACKGROUND, Background, TextView
from bitext.segment.tokens import Tokens
from bitext.segment.word_model import WordModel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.model import Text
    from bitext.segment.feature_groups import FeatureOptions
    from bitext.segment.learned_columns import Learned

__all__ = ["learn_columns"]

_SHORT = 5  # sentences of the paragraphs that stand for all, where training has no paragraphs
_ENTROPY = frozenset({"entropy", "edge-entropy"})
_LIKENESS = frozenset({"cosine", "inner-product", "topic-shift", "drop", "edge-cosine"})


def learn_columns(
    texts: Sequence[Text], options: FeatureOptions, longest: int
) -> tuple[list[Learned], Lexicons, Background]:
    """Return all columns as learned, the labels of conjunctions and what is told of words.

    Raises
    ------
    InputError
        When a text is known by identifiers only, or no text has a sentence.

    """
    if not any(map(len, texts)):
        raise InputError("no training text has a sentence: give texts with sentences")
    background = NO_BACKGROUND
    if options.weights == "rarity" and _LIKENESS.intersection(options.groups):
        background = background._replace(rarity=_rarity(texts))
    if _ENTROPY.intersection(options.groups):
        words = WordModel.fit([Tokens(list(text.segments())) for text in texts])
        background = background._replace(words=words)
    lexicons = Lexicons(grows=True)
    nodes: dict[tuple[str, str], Seen] = {}
    edges: dict[tuple[str, str], Seen] = {}
    for text in texts:
        view = TextView.of(text, longest, options.bag, background, held_out=True)
        asked = node_columns(view, options)
        numbers = numbers_of([column for _, column in asked], lexicons)
        for name, column in asked:
            nodes.setdefault((name, column.name), Seen()).add(column, numbers)
        _see_edges(view, text, options, edges)
    columns = [
        found.learn(*key, options.scale, options.bins, 1 if key[0] == "bias" else options.min_count)
        for key, found in nodes.items()
    ]
    columns += [found.learn(*key, options.scale, options.bins, 0) for key, found in edges.items()]
    return columns, used_lexicons(columns, lexicons), background


def _see_edges(
    view: TextView, text: Text, options: FeatureOptions, seen: dict[tuple[str, str], Seen]
) -> None:
    """Take in the paragraphs of a training text, or some that there could be."""
    starts, stops = _cells(text, view.n, view.longest)
    for name, block, part in edge_parts(view, options):
        found = seen.setdefault((name, part.name), Seen())
        if isinstance(part, EdgeLabels):
            found.times.update(dict.fromkeys(part.forms, 0))
            continue
        mine = (stops > block.first) & (stops <= block.last)
        cells = stops[mine] - 1 - block.first, view.longest - (stops - starts)[mine]
        found.add(Scalar(part.name, part.values[cells]), {})


def _cells(text: Text, n: int, longest: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the paragraphs of a text, half-open; those longer than M are left out.

    Where it has none, all paragraphs of up to five sentences.
    """
    if text.paragraphs is None:
        sizes = np.arange(1, min(_SHORT, longest) + 1)
        starts = np.repeat(np.arange(n), len(sizes))
        stops = starts + np.tile(sizes, n)
    else:
        stops = np.cumsum(text.paragraphs.masses)
        starts = stops - text.paragraphs.masses
    good = (stops <= n) & (stops - starts <= longest)
    return starts[good], stops[good]


def _rarity(texts: Sequence[Text]) -> RarityWeights:
    """Count in how many sentences of training texts each word is; those of one are left out."""
    times: Counter[str] = Counter()
    for text in texts:
        tokens = Tokens(list(text.segments()))
        often = np.bincount(counts_of(tokens).ids, minlength=len(tokens.forms)).tolist()
        times.update(dict(zip(tokens.forms, often, strict=True)))
    found = {form: many for form, many in times.items() if many > 1}
    return RarityWeights(sum(map(len, texts)), found)
