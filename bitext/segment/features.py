"""Features of texts: learned from training texts, then made of any text.

    groups of node and edge features (`GROUPS`) -> columns of a text -> weights, by number

A `FeatureModel` knows the bins, ranges and vocabularies of the columns and the number of each
weight. Cost and memory are linear in the sentences and in M, the longest paragraph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import InputError
from bitext.segment.asking import edge_parts, node_columns, numbers_of
from bitext.segment.edge_features import EdgeLabels
from bitext.segment.feature_groups import (
    GROUPS,
    PRESETS,
    FeatureOptions,
    NodeGroup,
    options_of,
)
from bitext.segment.feature_parts import read_parts, write_parts
from bitext.segment.feature_rows import node_rows
from bitext.segment.learned_columns import used_lexicons
from bitext.segment.learning import learn_columns
from bitext.segment.lexicons import Lexicons
from bitext.segment.text_features import EdgeColumn, TextFeatures
from bitext.segment.text_view import NO_BACKGROUND, Background, TextView

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.model import Text
    from bitext.segment.learned_columns import Learned

__all__ = ["GROUPS", "PRESETS", "FeatureModel", "FeatureOptions"]


class FeatureModel:
    """The features of texts: which there are, and which weight each has.

    Made by `fit` or `from_parts`.

    Attributes
    ----------
    options : FeatureOptions
    longest : int
        M, the most sentences of a paragraph.
    size : int
        The number of weights.
    columns : tuple of Learned
        What is known of each column, in the order of the weights.
    lexicons : Lexicons
        The labels that conjunctions are made of.
    background : Background
        What training texts tell of words.

    Examples
    --------
    >>> from bitext.model import Segmentation, Text
    >>> text = Text(["He came.", "“Sit!”", "He sat."], paragraphs=Segmentation([1, 1, 1]))
    >>> options = FeatureOptions(groups=("first-word", "edge-length"), min_count=1, neighbours=0)
    >>> model = FeatureModel.fit([text], options, 30)
    >>> model.size, model.names()[:3]
    (12, ['first-word=he', 'first-word=sit', 'edge:length=1'])
    >>> model.of(text).nodes.idx.tolist()
    [0, 1, 0]

    """

    def __init__(
        self,
        options: FeatureOptions,
        longest: int,
        columns: Sequence[Learned],
        *,
        lexicons: Lexicons | None = None,
        background: Background = NO_BACKGROUND,
    ) -> None:
        self.options, self.longest, self.background = options, longest, background
        self.lexicons = Lexicons() if lexicons is None else lexicons
        # One after another: columns of one weight a sentence, bags, edges. So rows ascend.
        ordered = sorted(columns, key=lambda c: (c.name.startswith("edge:"), c.kind == "bag"))
        first = 0
        for column in ordered:
            group = GROUPS[column.group]
            if isinstance(group, NodeGroup):
                column.offsets = group.offsets(options.neighbours)
            column.first = first
            first += column.size * len(column.offsets)
        self.size = first
        self.columns = tuple(ordered)
        self._by_name = {(column.group, column.name): column for column in ordered}

    @classmethod
    def fit(
        cls, texts: Sequence[Text], options: str | FeatureOptions = "default", longest: int = 50
    ) -> FeatureModel:
        """Learn bins, ranges and vocabularies from training texts.

        Their paragraphs, where they have some, tell how like their neighbours paragraphs are. A
        text is looked at twice, and not kept.

        Raises
        ------
        InputError
            When a text is known by identifiers only, or no text has a sentence.
        OptionError
            When there is no such preset.

        """
        chosen = options_of(options)
        columns, lexicons, background = learn_columns(texts, chosen, longest)
        return cls(chosen, longest, columns, lexicons=lexicons, background=background)

    def of(self, text: Text, *, held_out: bool = False) -> TextFeatures:
        """Make the features of a text; the empty text has none.

        With `held_out` the text is one of those of `fit`, and its entropy is what the others tell:
        so features are made for training. Other groups do not differ.

        Raises
        ------
        InputError
            When the text is known by identifiers only.

        """
        view = TextView.of(text, self.longest, self.options.bag, self.background, held_out=held_out)
        asked = [
            (learned, column)
            for name, column in node_columns(view, self.options)
            if (learned := self._by_name.get((name, column.name))) is not None and learned.size
        ]
        numbers = numbers_of([column for _, column in asked], self.lexicons)
        placed = [(learned, learned.place(column, numbers)) for learned, column in asked]
        placed.sort(key=lambda pair: pair[0].first)
        return TextFeatures(node_rows(placed, view.n), self._edge_columns(view), self.longest)

    def _edge_columns(self, view: TextView) -> list[EdgeColumn]:
        shape = (view.n, self.longest)
        bins: dict[int, NDArray[np.uint8]] = {}
        values: dict[int, NDArray[np.float32]] = {}
        for name, block, part in edge_parts(view, self.options):
            learned = self._by_name[name, part.name]
            rows = slice(block.first, block.last)
            if isinstance(part, EdgeLabels):
                if len(part.codes) == 1:  # the length says all: one row for any text
                    bins[learned.first] = np.broadcast_to(part.codes, shape)
                    continue
                bins.setdefault(learned.first, np.empty(shape, dtype=np.uint8))[rows] = part.codes
            elif learned.bins is not None:
                codes = learned.bins.codes(part.values)
                bins.setdefault(learned.first, np.empty(shape, dtype=np.uint8))[rows] = codes
            elif learned.limits is not None:
                scaled = learned.limits.scaled(part.values)
                values.setdefault(learned.first, np.empty(shape, dtype=np.float32))[rows] = scaled
        columns = [EdgeColumn(first, bins=found) for first, found in bins.items()]
        columns += [EdgeColumn(first, values=found) for first, found in values.items()]
        return sorted(columns, key=lambda column: column.first)

    def names(self) -> list[str]:
        """Return the name of each weight: `length[-1]=bin3`, `first-word=the`, `edge:length=4`."""
        return [name for column in self.columns for name in column.names(self.lexicons)]

    def groups(self) -> NDArray[np.int64]:
        """Return the group of each weight, as its place among `options.groups`."""
        place = {name: k for k, name in enumerate(self.options.groups)}
        sizes = [column.size * len(column.offsets) for column in self.columns]
        return np.repeat([place[column.group] for column in self.columns], sizes).astype(np.int64)

    def pruned(self, kept: NDArray[np.bool_]) -> tuple[FeatureModel, NDArray[np.int64]]:
        """Return a model without the labels none of whose weights are kept, and its old weights.

        The weights of the new model are `weights[old]`. Bins and ranges stay, and the labels of
        edges.
        """
        columns, old = [], []
        for column in self.columns:
            places = np.arange(column.size * len(column.offsets)) + column.first
            grid = places.reshape(len(column.offsets), column.size)
            stays = np.ones(column.size, dtype=np.bool_)
            if column.kind in {"labels", "bag", "joint"} and not column.name.startswith("edge:"):
                stays = np.asarray(kept[grid].any(axis=0), dtype=np.bool_)
            columns.append(column.only(stays))
            old.append(grid[:, stays].ravel())
        lexicons = used_lexicons(columns, self.lexicons)
        model = FeatureModel(
            self.options, self.longest, columns, lexicons=lexicons, background=self.background
        )
        return model, np.concatenate([np.zeros(0, dtype=np.int64), *old])

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the model as a header for JSON and plain arrays."""
        return write_parts(self.options, self.longest, self.columns, self.lexicons, self.background)

    @classmethod
    def from_parts(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> FeatureModel:
        """Make a model of what `to_parts` gave.

        Raises
        ------
        InputError
            When parts are missing or do not fit each other.
        OptionError
            When the options are not those of this version.

        """
        try:
            options, longest, columns, lexicons, background = read_parts(header, arrays)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise InputError(
                f"the features are of another version, or damaged ({error!r:.80}): train anew"
            ) from None
        return cls(options, longest, columns, lexicons=lexicons, background=background)
