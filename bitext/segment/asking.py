"""The columns of a text by the groups that are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.segment.columns import Joint
from bitext.segment.edge_features import EdgeBlock
from bitext.segment.feature_groups import GROUPS, EdgeGroup, FeatureOptions, NodeGroup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from bitext.segment.columns import Column
    from bitext.segment.edge_features import EdgeColumnPart
    from bitext.segment.lexicons import Lexicons
    from bitext.segment.text_view import TextView

__all__ = ["edge_parts", "node_columns", "numbers_of"]


def node_columns(view: TextView, options: FeatureOptions) -> list[tuple[str, Column]]:
    """Return the columns of the groups of nodes, each with the name of its group."""
    return [
        (name, column)
        for name in options.groups
        if isinstance(group := GROUPS[name], NodeGroup)
        for column in view.once(group.ask)
    ]


def edge_parts(
    view: TextView, options: FeatureOptions
) -> Iterator[tuple[str, EdgeBlock, EdgeColumnPart]]:
    """Yield the columns of the groups of edges, block by block."""
    named = [(name, GROUPS[name]) for name in options.groups]
    groups = [(name, group) for name, group in named if isinstance(group, EdgeGroup)]
    for first, last in view.blocks():
        block = EdgeBlock(view, first, last)
        for name, group in groups:
            for part in group.ask(block):
                yield name, block, part


def numbers_of(columns: Sequence[Column], lexicons: Lexicons) -> dict[str, NDArray[np.int64]]:
    """Return the numbers of the labels that conjunctions are made of, by the names of these."""
    numbers: dict[str, NDArray[np.int64]] = {}
    for column in columns:
        if isinstance(column, Joint):
            for part, _ in column.parts:
                if part.name not in numbers:
                    numbers[part.name] = lexicons.numbers(part)
    return numbers
