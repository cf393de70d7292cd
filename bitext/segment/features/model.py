"""Feature models: columns learned from training texts, and features of any text.

    groups of node and edge features (`GROUPS`) -> columns of a text -> weights, by number

A `FeatureModel` has the bins, ranges and vocabularies of the columns and the number of each weight.
Time and memory are linear in the number of sentences and in M, the length of the longest paragraph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from bitext.errors import InputError, many
from bitext.kernels.arrays import Bools, Floats, Ints, Singles, prefix, ranges
from bitext.segment.features import (
    Bins,
    Learned,
    Lexicons,
    Placed,
    Range,
    Scalar,
    Seen,
    keys_of,
    parts_of,
    used_lexicons,
)
from bitext.segment.features.columns import EdgeLabels
from bitext.segment.features.groups import (
    GROUPS,
    FeatureOptions,
    NodeGroup,
    edge_parts,
    node_columns,
    numbers_of,
    options_of,
)
from bitext.segment.features.text import (
    BLOCK,
    NO_BACKGROUND,
    Background,
    EdgeColumn,
    NodeRows,
    RarityWeights,
    TextFeatures,
    TextView,
    WordModel,
    counts_of,
)
from bitext.segment.tokens import Tokens

if TYPE_CHECKING:
    from bitext.model import Text

# Serialisation of a feature model as a JSON header and arrays.

Arrays = dict[str, "NDArray[Any]"]

_SEPARATOR = "\n"  # no label contains a line break


def _pack(forms: Sequence[str]) -> NDArray[np.uint8]:
    """Return strings as bytes of UTF-8, one a line."""
    text = _SEPARATOR.join(forms)
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)


def _unpack(data: NDArray[Any], size: int) -> list[str]:
    """Return the strings from the bytes of `_pack`."""
    labels = data.tobytes().decode("utf-8", "surrogatepass").split(_SEPARATOR) if size else []
    if len(labels) != size:
        raise ValueError(f"{len(labels)} labels for {size}")
    return labels


def write_parts(
    options: FeatureOptions,
    longest: int,
    columns: Sequence[Learned],
    lexicons: Lexicons,
    background: Background,
) -> tuple[dict[str, Any], Arrays]:
    """Return the JSON header and the arrays of a `FeatureModel`."""
    arrays: Arrays = {}
    entries = []
    for k, column in enumerate(columns):
        entry: dict[str, Any] = {"group": column.group, "name": column.name, "kind": column.kind}
        if column.bins is not None:
            arrays[f"features-{k}-edges"] = column.bins.edges
        elif column.limits is not None:
            arrays[f"features-{k}-range"] = np.array([column.limits.low, column.limits.high])
        elif column.keys is not None:
            entry["parts"] = [[name, by] for name, by in column.parts]
            numbers = parts_of(column.keys, len(column.parts))
            arrays[f"features-{k}-keys"] = numbers.T.astype(np.int32)
        else:
            entry["labels"] = len(column.forms)
            arrays[f"features-{k}-labels"] = _pack(column.forms)
        entries.append(entry)
    header: dict[str, Any] = {
        "options": {**asdict(options), "groups": list(options.groups)},
        "longest": longest,
        "columns": entries,
        "lexicons": {name: len(lexicons.forms(name)) for name in lexicons.names()},
    }
    for k, name in enumerate(lexicons.names()):
        arrays[f"features-lexicon-{k}"] = _pack(lexicons.forms(name))
    rarity, words = background
    if words is not None:
        header["words"] = {"known": len(words.forms), "sentences": words.sentences}
        arrays["features-words"] = _pack(words.forms)
        for name in ("counts", "pairs", "times"):
            arrays[f"features-words-{name}"] = getattr(words, name)
    if rarity is not None:
        header["rarity"] = {"sentences": rarity.sentences, "words": len(rarity.counts)}
        arrays["features-rarity-words"] = _pack(list(rarity.counts))
        arrays["features-rarity-times"] = np.array(list(rarity.counts.values()), dtype=np.int32)
    return header, arrays


def read_parts(
    header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
) -> tuple[FeatureOptions, int, list[Learned], Lexicons, Background]:
    """Rebuild the arguments of `write_parts` from its output.

    Raises `KeyError`, `TypeError`, `ValueError` or `IndexError` when parts are missing or
    inconsistent.
    """
    options = FeatureOptions(**header["options"])
    rarity = None
    if "rarity" in header:
        words = _unpack(arrays["features-rarity-words"], header["rarity"]["words"])
        times = arrays["features-rarity-times"].tolist()
        times_by_word = dict(zip(words, times, strict=True))
        rarity = RarityWeights(int(header["rarity"]["sentences"]), times_by_word)
    model = None
    if "words" in header:
        forms = _unpack(arrays["features-words"], header["words"]["known"])
        counts, pairs, times = (
            arrays[f"features-words-{name}"].astype(np.int64)
            for name in ("counts", "pairs", "times")
        )
        if counts.shape != (len(forms) + 1,) or pairs.shape != times.shape:
            raise ValueError(f"{many(len(forms), 'word')}, {len(counts)} counts")
        model = WordModel(forms, counts, pairs, times, int(header["words"]["sentences"]))
    lexicons = Lexicons(
        {
            name: _unpack(arrays[f"features-lexicon-{k}"], size)
            for k, (name, size) in enumerate(header["lexicons"].items())
        }
    )
    columns = [
        _column(entry, f"features-{k}-", arrays, lexicons, options)
        for k, entry in enumerate(header["columns"])
    ]
    longest = header["longest"]
    if type(longest) is not int or longest < 1:
        raise ValueError(f"longest is {longest!r}")
    return options, longest, columns, lexicons, Background(rarity, model)


def _column(
    entry: Mapping[str, Any],
    prefix: str,
    arrays: Mapping[str, NDArray[Any]],
    lexicons: Lexicons,
    options: FeatureOptions,
) -> Learned:
    column = Learned(entry["group"], entry["name"], entry["kind"])
    if column.group not in options.groups:
        raise ValueError(f"group {column.group!r} is not among those named")
    if column.kind == "bins":
        column.bins = Bins(arrays[f"{prefix}edges"].tolist())
    elif column.kind == "min-max":
        column.limits = Range(*arrays[f"{prefix}range"].tolist())
    elif column.kind == "joint":
        column.parts = [(str(name), int(by)) for name, by in entry["parts"]]
        column.keys = _keys(arrays[f"{prefix}keys"], column.parts, lexicons)
    elif column.kind in {"labels", "bag"}:
        column.forms = _unpack(arrays[f"{prefix}labels"], entry["labels"])
    else:
        raise ValueError(f"kind {column.kind!r}")
    return column


def _keys(numbers: NDArray[Any], parts: Sequence[tuple[str, int]], lexicons: Lexicons) -> Ints:
    if numbers.ndim != 2 or len(numbers) != len(parts) or numbers.dtype.kind not in "iu":
        raise ValueError(f"keys of shape {numbers.shape} for {len(parts)} parts")
    for row, (name, _) in zip(numbers, parts, strict=True):
        size = len(lexicons.forms(name))
        if row.size and not 0 <= int(row.min()) <= int(row.max()) <= size:
            raise ValueError(f"a label of {name!r} beyond its {size}")
    return keys_of(numbers.T)


# Sparse rows of the sentences of a text, concatenated from its columns.

_ROWS_AT_ONCE = 8192  # rows filled at once; set by hand: bounds the memory of index arrays


def node_rows(placed: Sequence[tuple[Learned, Placed]], n: int) -> NodeRows:
    """Return the rows of n sentences, each with its own columns and those of its neighbours.

    Columns are in the order of their weights, those with one weight a sentence first. Neighbours
    beyond the ends of the text are left out.
    """
    # Columns with one weight a sentence are a dense table; a bag is a run of entries a row.
    single = [(learned, cells) for learned, cells in placed if cells.ptr is None]
    weights, values = _table(single, n)
    own_counts = np.count_nonzero(weights >= 0, axis=1)
    lengths = own_counts.copy()
    spans = []
    for learned, cells in placed:
        if cells.ptr is None:
            continue
        for step, offset in enumerate(learned.offsets):
            begin, end = max(0, -offset), max(0, min(n, n - offset))
            if begin < end:
                rows = cells.ptr[begin + offset : end + offset + 1]
                spans.append((learned.first + step * learned.size, begin, end, rows, cells))
                lengths[begin:end] += np.diff(rows)
    ptr = prefix(lengths)
    idx = np.empty(int(ptr[-1]), dtype=np.int64)
    out = np.ones(len(idx))
    # Fill each row from the table, in blocks of rows, then from bag after bag.
    filled = ptr[:-1].copy()
    for at in range(0, n, _ROWS_AT_ONCE):
        block = slice(at, at + _ROWS_AT_ONCE)
        has_weight = weights[block] >= 0
        place = ranges(filled[block], own_counts[block])
        idx[place] = weights[block][has_weight]
        if values is not None:
            out[place] = values[block][has_weight]
    filled += own_counts
    for first, begin, end, rows, cells in spans:
        place = ranges(filled[begin:end], np.diff(rows))
        entries = slice(rows[0], rows[-1])
        idx[place] = cells.idx[entries] + first
        if cells.values is not None:
            out[place] = cells.values[entries]
        filled[begin:end] += np.diff(rows)
    return NodeRows(ptr, idx, out)


def _table(
    single: Sequence[tuple[Learned, Placed]], n: int
) -> tuple[NDArray[np.int32], Floats | None]:
    """Return weights (-1 for none) and values of the columns with one weight a sentence."""
    width = sum(len(learned.offsets) for learned, _ in single)
    weights = np.full((n, width), -1, dtype=np.int32)
    values = None
    if any(cells.values is not None for _, cells in single):
        values = np.ones((n, width))
    at = 0
    for learned, cells in single:
        for step, offset in enumerate(learned.offsets):
            begin, end = max(0, -offset), max(0, min(n, n - offset))
            codes = cells.idx[begin + offset : end + offset]
            first = learned.first + step * learned.size
            weights[begin:end, at] = np.where(codes >= 0, codes + first, -1)
            if values is not None and cells.values is not None:
                values[begin:end, at] = cells.values[begin + offset : end + offset]
            at += 1
    return weights, values


# Learning from training texts: bins, ranges, vocabularies and background counts of words.

# Sentences of the longest ranges that replace paragraphs in texts without any; set by hand.
_SHORT = 5
# Groups that need a word model, and groups that need rarity weights.
_ENTROPY = frozenset({"entropy", "edge-entropy"})
_LIKENESS = frozenset({"cosine", "inner-product", "topic-shift", "drop", "edge-cosine"})


def learn_columns(
    texts: Sequence[Text], options: FeatureOptions, longest: int
) -> tuple[list[Learned], Lexicons, Background]:
    """Learn all columns, the labels of conjunctions and the background counts of words.

    Raises `InputError` when a text has identifiers only, or no text has a sentence.
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
        # The words of a text are held out of the background counts, which those of new texts are
        # not in either.
        view = TextView.of(text, longest, options.bag, background, held_out=True)
        named_columns = node_columns(view, options)
        numbers = numbers_of([column for _, column in named_columns], lexicons)
        for name, column in named_columns:
            nodes.setdefault((name, column.name), Seen()).add(column, numbers)
        _see_edges(view, text, options, edges)
    columns = [
        statistics.learn(
            *key, options.scale, options.bins, 1 if key[0] == "bias" else options.min_count
        )
        for key, statistics in nodes.items()
    ]
    columns += [
        statistics.learn(*key, options.scale, options.bins, 0) for key, statistics in edges.items()
    ]
    return columns, used_lexicons(columns, lexicons), background


def _see_edges(
    view: TextView, text: Text, options: FeatureOptions, seen: dict[tuple[str, str], Seen]
) -> None:
    """Add to `seen` the edge columns of a training text, at its paragraphs (see `_cells`)."""
    starts, stops = _cells(text, view.n, view.longest)
    for name, block, part in edge_parts(view, options):
        column = seen.setdefault((name, part.name), Seen())
        if isinstance(part, EdgeLabels):
            column.times.update(dict.fromkeys(part.forms, 0))
            continue
        in_block = (stops > block.first) & (stops <= block.last)
        cells = stops[in_block] - 1 - block.first, view.longest - (stops - starts)[in_block]
        column.add(Scalar(part.name, part.values[cells]), {})


def _cells(text: Text, n: int, longest: int) -> tuple[Ints, Ints]:
    """Return the half-open ranges of the paragraphs of a text, without any longer than M.

    For a text without paragraphs, return all ranges of up to five sentences.
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
    """Return rarity weights from the counts of sentences with a word; counts of 1 are left out."""
    times: Counter[str] = Counter()
    for text in texts:
        tokens = Tokens(list(text.segments()))
        often = np.bincount(counts_of(tokens).ids, minlength=len(tokens.forms)).tolist()
        times.update(dict(zip(tokens.forms, often, strict=True)))
    repeated = {
        form: sentence_count for form, sentence_count in times.items() if sentence_count > 1
    }
    return RarityWeights(sum(map(len, texts)), repeated)


class FeatureModel:
    """Learned columns of features and the numbers of their weights.

    Use `fit` or `from_parts` to make a model.

    Attributes
    ----------
    options : FeatureOptions
    longest : int
        M, the length of the longest paragraph, in sentences.
    size : int
        The number of weights.
    columns : tuple of Learned
        The learned columns, in the order of their weights.
    lexicons : Lexicons
        The labels in conjunctions.
    background : Background
        Statistics of words in the training texts.

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
        # Number columns with one weight a sentence first, then bags, then edges: rows ascend.
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

        Scalars of edges are learned at the paragraphs of the texts, where these have paragraphs.
        Texts are read several times, and not stored.

        Raises
        ------
        InputError
            When a text has identifiers only, or no text has a sentence.
        OptionError
            When there is no such preset.

        """
        chosen = options_of(options)
        columns, lexicons, background = learn_columns(texts, chosen, longest)
        return cls(chosen, longest, columns, lexicons=lexicons, background=background)

    def of(self, text: Text, *, held_out: bool = False, at_once: int = BLOCK) -> TextFeatures:
        """Return the features of a text; the empty text has none.

        With `held_out`, the text is one of the texts of `fit`, and its entropies are computed from
        the other texts, as training needs. Other groups are the same. A block of sentences
        processed together has `at_once` sentences.

        Raises
        ------
        InputError
            When the text has identifiers only.

        """
        view = TextView.of(
            text,
            self.longest,
            self.options.bag,
            self.background,
            held_out=held_out,
            at_once=at_once,
        )
        named_columns = [
            (learned, column)
            for name, column in node_columns(view, self.options)
            if (learned := self._by_name.get((name, column.name))) is not None and learned.size
        ]
        numbers = numbers_of([column for _, column in named_columns], self.lexicons)
        placed = [(learned, learned.place(column, numbers)) for learned, column in named_columns]
        placed.sort(key=lambda pair: pair[0].first)
        return TextFeatures(node_rows(placed, view.n), self._edge_columns(view), self.longest)

    def _edge_columns(self, view: TextView) -> list[EdgeColumn]:
        shape = (view.n, self.longest)
        bins: dict[int, NDArray[np.uint8]] = {}
        values: dict[int, Singles] = {}
        for name, block, part in edge_parts(view, self.options):
            learned = self._by_name[name, part.name]
            rows = slice(block.first, block.last)
            if isinstance(part, EdgeLabels):
                if len(part.codes) == 1:  # the length sets the label: one row for all
                    bins[learned.first] = np.broadcast_to(part.codes, shape)
                    continue
                bins.setdefault(learned.first, np.empty(shape, dtype=np.uint8))[rows] = part.codes
            elif learned.bins is not None:
                codes = learned.bins.codes(part.values)
                bins.setdefault(learned.first, np.empty(shape, dtype=np.uint8))[rows] = codes
            elif learned.limits is not None:
                scaled = learned.limits.scaled(part.values)
                values.setdefault(learned.first, np.empty(shape, dtype=np.float32))[rows] = scaled
        columns = [EdgeColumn(first, bins=array) for first, array in bins.items()]
        columns += [EdgeColumn(first, values=array) for first, array in values.items()]
        return sorted(columns, key=lambda column: column.first)

    def names(self) -> list[str]:
        """Return the name of each weight: `length[-1]=bin3`, `first-word=the`, `edge:length=4`."""
        return [name for column in self.columns for name in column.names(self.lexicons)]

    def groups(self) -> Ints:
        """Return the group of each weight, as an index into `options.groups`."""
        place = {name: k for k, name in enumerate(self.options.groups)}
        sizes = [column.size * len(column.offsets) for column in self.columns]
        return np.repeat([place[column.group] for column in self.columns], sizes).astype(np.int64)

    def pruned(self, used: Bools) -> tuple[FeatureModel, Ints]:
        """Return a model without labels that have no weight in `used`, and its old numbers.

        The weights of the new model are `weights[old]`. Bins, ranges and labels of edges stay.
        """
        columns, old = [], []
        for column in self.columns:
            places = np.arange(column.size * len(column.offsets)) + column.first
            grid = places.reshape(len(column.offsets), column.size)
            stays = np.ones(column.size, dtype=np.bool_)
            if column.kind in {"labels", "bag", "joint"} and not column.name.startswith("edge:"):
                stays = np.asarray(used[grid].any(axis=0), dtype=np.bool_)
            columns.append(column.only(stays))
            old.append(grid[:, stays].ravel())
        lexicons = used_lexicons(columns, self.lexicons)
        model = FeatureModel(
            self.options, self.longest, columns, lexicons=lexicons, background=self.background
        )
        return model, np.concatenate([np.zeros(0, dtype=np.int64), *old])

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the model as a JSON header and arrays."""
        return write_parts(self.options, self.longest, self.columns, self.lexicons, self.background)

    @classmethod
    def from_parts(
        cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]
    ) -> FeatureModel:
        """Rebuild a model from the output of `to_parts`.

        Raises
        ------
        InputError
            When parts are missing or inconsistent.
        OptionError
            When the options are not allowed in this version.

        """
        try:
            options, longest, columns, lexicons, background = read_parts(header, arrays)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise InputError(
                f"the features are of another version, or damaged ({error!r:.80}): train anew"
            ) from None
        return cls(options, longest, columns, lexicons=lexicons, background=background)
