"""Features of texts: learned from training texts, then made of any text.

    groups of node and edge features (`GROUPS`) -> columns of a text -> weights, by number

A `FeatureModel` knows the bins, ranges and vocabularies of the columns and the number of each
weight. Cost and memory are linear in the sentences and in M, the longest paragraph.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.errors import InputError
from bitext.segment.bag_of_words import RarityWeights, counts_of
from bitext.segment.columns import Scalar
from bitext.segment.edge_features import EdgeBlock, EdgeLabels
from bitext.segment.feature_groups import (
    GROUPS,
    PRESETS,
    EdgeGroup,
    FeatureOptions,
    NodeGroup,
    options_of,
)
from bitext.segment.feature_rows import node_rows
from bitext.segment.learned_columns import Learned, Seen, pack, unpack
from bitext.segment.scaling import Bins, Range
from bitext.segment.text_features import EdgeColumn, TextFeatures
from bitext.segment.text_view import TextView
from bitext.segment.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.model import Text
    from bitext.segment.edge_features import EdgeColumnPart

__all__ = ["GROUPS", "PRESETS", "FeatureModel", "FeatureOptions"]

_SHORT = 5  # sentences of the paragraphs that stand for all, where training has no paragraphs
_LIKENESS = frozenset({"cosine", "inner-product", "topic-shift", "drop", "edge-cosine"})


class FeatureModel:
    """The features of texts: which there are, and which weight each has.

    Attributes
    ----------
    options : FeatureOptions
    longest : int
        M, the most sentences of a paragraph.
    size : int
        The number of weights.

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
        rarity: RarityWeights | None,
    ) -> None:
        self.options, self.longest, self.rarity = options, longest, rarity
        groups = [GROUPS[name] for name in options.groups]
        self._nodes = [
            (name, g)
            for name, g in zip(options.groups, groups, strict=True)
            if isinstance(g, NodeGroup)
        ]
        self._edges = [
            (name, g)
            for name, g in zip(options.groups, groups, strict=True)
            if isinstance(g, EdgeGroup)
        ]
        # One after another: columns of one weight a sentence, bags, edges. So rows ascend.
        nodes = {name for name, _ in self._nodes}
        self._columns = sorted(columns, key=lambda c: (c.group not in nodes, c.kind == "bag"))
        first = 0
        for column in self._columns:
            group = GROUPS[column.group]
            column.offsets = (
                group.offsets(options.neighbours) if isinstance(group, NodeGroup) else range(1)
            )
            column.first = first
            first += column.size * len(column.offsets)
        self.size = first
        self._by_name = {(column.group, column.name): column for column in self._columns}

    @classmethod
    def fit(
        cls, texts: Sequence[Text], options: str | FeatureOptions = "default", longest: int = 50
    ) -> FeatureModel:
        """Learn bins, ranges and vocabularies from training texts.

        Their paragraphs, where they have some, tell how long and how like their neighbours
        paragraphs are. A text is looked at twice, and not kept.

        Raises
        ------
        InputError
            When a text is known by identifiers only.
        OptionError
            When there is no such preset.

        """
        chosen = options_of(options)
        rarity = None
        if chosen.weights == "rarity" and _LIKENESS.intersection(chosen.groups):
            rarity = _rarity(texts)
        model = cls(chosen, longest, [], rarity)
        seen: dict[tuple[str, str], Seen] = {}
        paragraphs: dict[tuple[str, str], Seen] = {}
        for text in texts:
            view = model._view(text)
            for name, group in model._nodes:
                for column in group.ask(view):
                    seen.setdefault((name, column.name), Seen()).add(column)
            model._see_edges(view, text, paragraphs)
        columns = []
        for (group, name), found in (seen | paragraphs).items():
            least = chosen.min_count if isinstance(GROUPS[group], NodeGroup) else 0
            columns.append(found.learn(group, name, chosen.scale, chosen.bins, least))
        return cls(chosen, longest, columns, rarity)

    def _see_edges(self, view: TextView, text: Text, seen: dict[tuple[str, str], Seen]) -> None:
        """Take in the paragraphs of a training text, or some that there could be."""
        starts, stops = _cells(text, view.n, self.longest)
        for name, block, part in self._edge_parts(view):
            found = seen.setdefault((name, part.name), Seen())
            if isinstance(part, EdgeLabels):
                found.times.update(dict.fromkeys(part.forms, 0))
                continue
            mine = (stops > block.first) & (stops <= block.last)
            cells = stops[mine] - 1 - block.first, self.longest - (stops - starts)[mine]
            found.add(Scalar(part.name, part.values[cells]))

    def _view(self, text: Text) -> TextView:
        if not text.has_text and len(text):
            raise InputError(f"{text.name or 'the text'} is known by ids only: give its characters")
        return TextView(
            list(text.segments()),
            self.longest,
            weights=self.rarity,
            printed=self.options.bag == "printed",
        )

    def _edge_parts(self, view: TextView) -> Iterator[tuple[str, EdgeBlock, EdgeColumnPart]]:
        for first, last in view.blocks():
            block = EdgeBlock(view, first, last)
            for name, group in self._edges:
                for part in group.ask(block):
                    yield name, block, part

    def of(self, text: Text) -> TextFeatures:
        """Make the features of a text; the empty text has none.

        Raises
        ------
        InputError
            When the text is known by identifiers only.

        """
        view = self._view(text)
        placed = [
            (learned, learned.place(column))
            for name, group in self._nodes
            for column in group.ask(view)
            if (learned := self._by_name.get((name, column.name))) is not None and learned.size
        ]
        placed.sort(key=lambda pair: pair[0].first)
        return TextFeatures(node_rows(placed, view.n), self._edge_columns(view), self.longest)

    def _edge_columns(self, view: TextView) -> list[EdgeColumn]:
        shape = (view.n, self.longest)
        bins: dict[int, NDArray[np.uint8]] = {}
        values: dict[int, NDArray[np.float32]] = {}
        for name, block, part in self._edge_parts(view):
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
        return [name for column in self._columns for name in column.names()]

    def groups(self) -> NDArray[np.int64]:
        """Return the group of each weight, as its place among `options.groups`."""
        place = {name: k for k, name in enumerate(self.options.groups)}
        sizes = [column.size * len(column.offsets) for column in self._columns]
        return np.repeat([place[column.group] for column in self._columns], sizes).astype(np.int64)

    def pruned(self, kept: NDArray[np.bool_]) -> tuple[FeatureModel, NDArray[np.int64]]:
        """Return a model without the labels none of whose weights are kept, and its old weights.

        Bins and ranges stay, and so do the labels of edges.
        """
        columns, old = [], []
        for column in self._columns:
            weights = np.arange(column.size * len(column.offsets)) + column.first
            grid = weights.reshape(len(column.offsets), column.size)
            stay = np.ones(column.size, dtype=np.bool_)
            if column.forms and isinstance(GROUPS[column.group], NodeGroup):
                stay = kept[grid].any(axis=0)
            forms = [form for form, good in zip(column.forms, stay.tolist(), strict=False) if good]
            columns.append(
                Learned(column.group, column.name, column.kind, column.bins, column.limits, forms)
            )
            old.append(grid[:, stay].ravel())
        model = FeatureModel(self.options, self.longest, columns, self.rarity)
        return model, np.concatenate([np.zeros(0, dtype=np.int64), *old])

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the model as a header for JSON and plain arrays."""
        arrays: dict[str, NDArray[Any]] = {}
        columns = []
        for k, column in enumerate(self._columns):
            entry: dict[str, Any] = {"group": column.group, "name": column.name}
            entry["kind"] = column.kind
            if column.bins is not None:
                arrays[f"features-{k}-edges"] = column.bins.edges
            elif column.limits is not None:
                arrays[f"features-{k}-range"] = np.array([column.limits.low, column.limits.high])
            else:
                entry["labels"] = len(column.forms)
                arrays[f"features-{k}-labels"] = pack(column.forms)
            columns.append(entry)
        header = {
            "options": {**asdict(self.options), "groups": list(self.options.groups)},
            "longest": self.longest,
            "columns": columns,
        }
        if self.rarity is not None:
            header["rarity"] = {
                "sentences": self.rarity.sentences,
                "words": len(self.rarity.found),
            }
            arrays["features-rarity-words"] = pack(list(self.rarity.found))
            found = list(self.rarity.found.values())
            arrays["features-rarity-times"] = np.array(found, dtype=np.int64)
        return header, arrays

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
            return _read(header, arrays)
        except (KeyError, TypeError, ValueError, UnicodeDecodeError, IndexError) as error:
            raise InputError(
                f"the features are not of this version, or damaged ({error!r:.80}): train anew"
            ) from None


def _rarity(texts: Sequence[Text]) -> RarityWeights:
    """Count in how many sentences of training texts each word is; those of one are left out."""
    times: Counter[str] = Counter()
    for text in texts:
        tokens = Tokens(list(text.segments()))
        often = np.bincount(counts_of(tokens).ids, minlength=len(tokens.forms)).tolist()
        times.update(dict(zip(tokens.forms, often, strict=True)))
    found = {form: many for form, many in times.items() if many > 1}
    return RarityWeights(sum(map(len, texts)), found)


def _cells(text: Text, n: int, longest: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the paragraphs of a text, half-open; those longer than M are left out.

    Where it has none, all paragraphs of up to five sentences.
    """
    if text.paragraphs is None:
        size = np.arange(1, min(_SHORT, longest) + 1)
        starts, stops = (
            a.ravel()
            for a in np.broadcast_arrays(np.arange(n)[:, None], np.arange(n)[:, None] + size)
        )
    else:
        stops = np.cumsum(text.paragraphs.masses)
        starts = stops - text.paragraphs.masses
    good = (stops <= n) & (stops - starts <= longest)
    return starts[good], stops[good]


def _read(header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> FeatureModel:
    """Make a model of its parts; errors of any kind where they do not fit."""
    options = FeatureOptions(**header["options"])
    rarity = None
    if "rarity" in header:
        words = unpack(arrays["features-rarity-words"], header["rarity"]["words"])
        times = arrays["features-rarity-times"].tolist()
        found = dict(zip(words, times, strict=True))
        rarity = RarityWeights(int(header["rarity"]["sentences"]), found)
    columns = []
    for k, entry in enumerate(header["columns"]):
        column = Learned(entry["group"], entry["name"], entry["kind"])
        if column.group not in options.groups:
            raise ValueError(f"group {column.group!r} is not among those named")
        if column.kind == "bins":
            column.bins = Bins(arrays[f"features-{k}-edges"].tolist())
        elif column.kind == "min-max":
            column.limits = Range(*arrays[f"features-{k}-range"].tolist())
        elif column.kind in {"labels", "bag"}:
            column.forms = unpack(arrays[f"features-{k}-labels"], entry["labels"])
            if len(column.forms) != entry["labels"]:
                raise ValueError(f"{column.name} has {len(column.forms)} labels")
        else:
            raise ValueError(f"kind {column.kind!r}")
        columns.append(column)
    return FeatureModel(options, int(header["longest"]), columns, rarity)
