"""The interface of all methods of paragraph segmentation, their examples, and their tuning.

A method is fitted to the features and the paragraphs of texts, and predicts the paragraphs of other
texts from their features. Paragraphs are represented by their *starts*: the indices of their first
sentences, ascending from 0; a text without sentences has no starts.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from bitext.errors import InputError, OptionError, many
from bitext.kernels.arrays import Bools, Floats, Ints, prefix
from bitext.model import Segmentation
from bitext.model.counts import Counts
from bitext.segment.features.text import NodeRows, TextFeatures
from bitext.segment.semi_markov import starts_of as gold_starts

if TYPE_CHECKING:
    from bitext.model import Text

    Sentences = Text | Sequence[str]
    Gold = Segmentation | Ints


class Method(ABC):
    """A method of paragraph segmentation."""

    name: ClassVar[str]  # the name of the method in options
    # The names of the options of the constructor, which are also attributes.
    options: ClassVar[tuple[str, ...]] = ()
    # The option that `choose` chooses, and its values, the strongest regularisation first. A method
    # that has it also has an offset.
    tuned: ClassVar[tuple[str, tuple[float, ...]] | None] = None
    # The number added to the score of each boundary. It is not part of a fitted method: the
    # segmenter sets and saves it.
    offset: float = 0.0
    notes: tuple[str, ...] = ()  # notes on the training
    learns: ClassVar[bool] = True  # whether `fit` learns from texts; it then requires at least one
    # Whether the method has probabilities, which `confidence` returns.
    probable: ClassVar[bool] = False

    @abstractmethod
    def fit(self, features: Sequence[TextFeatures], golds: Sequence[Gold]) -> Self:
        """Fit the method to the features of texts and their gold paragraphs or starts.

        Raises `InputError` when there is no text, the numbers of texts and golds differ, or a gold
        does not fit its text; and `MissingExtraError` when the method needs a package that is not
        installed.
        """

    def boundaries(self, features: TextFeatures, *, text: Sentences | None = None) -> Ints:
        """Return the paragraph starts of a text; empty for a text without sentences.

        A method that reads the sentences besides their features requires `text`; others ignore it.
        """
        del text
        return self.by_offset(features)(self.offset)

    def by_offset(self, features: TextFeatures) -> Callable[[float], Ints]:
        """Return a function from an offset to the paragraph starts of a text.

        Raises `OptionError` when the method has no offset.
        """
        scores = self.scores(features)
        return lambda offset: decided_starts(scores > -offset)

    def scores(self, features: TextFeatures) -> Floats:
        """Return the score of each sentence, shape (n,); above 0 a paragraph starts.

        Raises `OptionError` when the method has no scores, and so no offset.
        """
        del features
        raise OptionError(f"the method {self.name!r} has no offset: leave it out")

    def confidence(self, features: TextFeatures) -> Floats:
        """Return the probability that each sentence starts a paragraph, shape (n,).

        Raises `OptionError` when the method has no probabilities.
        """
        del features
        raise OptionError(f"the method {self.name!r} decides without probabilities")

    def chosen(self) -> dict[str, Any]:
        """Return the options with their values."""
        return {name: getattr(self, name) for name in self.options}

    @classmethod
    def made(cls, header: Mapping[str, Any]) -> Self:
        """Construct an untrained method with the options in the header of a model.

        Raises `InputError` when the value of an option is not allowed.
        """
        options = {name: header[name] for name in cls.options if name in header}
        try:
            return cls(**options)
        except (OptionError, TypeError) as error:
            raise InputError(
                f"the model of the method {cls.name!r} has the options {options}: train it anew"
            ) from error

    @abstractmethod
    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the learned state: a header of JSON members, and arrays by name."""

    @classmethod
    @abstractmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild the method from the output of `to_parts`.

        Raises `InputError` when a part is missing or malformed.
        """


def checked_golds(features: Sequence[TextFeatures], golds: Sequence[Gold]) -> list[Ints]:
    """Return the starts of gold paragraphs as arrays, one a text.

    Raises `InputError` when there is no text, the numbers of texts and golds differ, or a gold does
    not fit its text.
    """
    if not len(features):
        raise InputError("there is no text to learn from: want one or more")
    if len(features) != len(golds):
        raise InputError(f"{many(len(features), 'text')} and {len(golds)} golds: want one each")
    out = []
    for k, (text, gold) in enumerate(zip(features, golds, strict=True)):
        given = isinstance(gold, Segmentation)
        starts = np.asarray(gold_starts(gold, text.n, f"text {k}") if given else gold)
        whole = starts.dtype.kind in "iu" or not starts.size
        starts = starts.astype(np.int64) if whole else starts
        first = bool(starts.size) == bool(text.n) and not starts[:1].any()
        ascending = whole and bool((np.diff(starts) > 0).all())
        if not (first and ascending and bool((starts < text.n).all())):
            raise InputError(
                f"text {k} of {text.n} sentences has the paragraph starts {starts[:8].tolist()}: "
                f"want sentences ascending from 0, each within the text"
            )
        out.append(starts)
    return out


def sentences_of(text: Sentences) -> list[str]:
    """Return the sentences of a text as a list."""
    from bitext.model import Text

    return list(text.segments() if isinstance(text, Text) else text)


def decided_starts(decided: Bools) -> Ints:
    """Return the starts from one decision a sentence; the first always starts a paragraph."""
    starting = decided.copy()
    starting[:1] = True
    return np.flatnonzero(starting)


def part(
    arrays: Mapping[str, NDArray[Any]], name: str, kind: str, shape: tuple[int | None, ...]
) -> NDArray[Any]:
    """Return an array of a model after a check of its type and shape.

    `kind` is `f` for finite floating-point numbers, `i` for integers; a `None` in `shape` stands
    for an axis of any length. Raises `InputError` when the array is missing, or has another type or
    shape.
    """
    array = arrays.get(name)
    if array is None:
        raise InputError(f"the model lacks the array {name!r}: train it anew")
    fits = len(array.shape) == len(shape) and all(
        want is None or want == got for want, got in zip(shape, array.shape, strict=True)
    )
    finite = kind != "f" or (array.dtype.kind == "f" and bool(np.isfinite(array).all()))
    if not fits or array.dtype.kind not in {"f": "f", "i": "iu"}[kind] or not finite:
        expected_numbers = "finite numbers" if kind == "f" else "integers"
        shown = ", ".join("any" if size is None else str(size) for size in shape)
        raise InputError(
            f"the array {name!r} of the model is {array.dtype} of the shape {array.shape}: want "
            f"{expected_numbers} of the shape ({shown}); train the model anew"
        )
    return array.astype(np.float64 if kind == "f" else np.int64)


# Training examples of the methods that classify each sentence by itself. Every sentence but the
# first of a text is one decision: whether it starts a paragraph.


class Decisions(NamedTuple):
    """Labelled training examples: the features and the class of each decision."""

    rows: NodeRows  # one row of features a decision
    # Whether the sentence of each decision starts a paragraph. Shape (decisions,).
    starts: Bools

    @property
    def decided(self) -> bool:
        """Whether both classes occur; otherwise there is nothing to learn."""
        return bool(self.starts.any()) and not bool(self.starts.all())

    @property
    def majority(self) -> bool:
        """The more frequent class; `False` (no paragraph start) in a tie."""
        return bool(2 * self.starts.sum() > self.starts.size)


def decisions(features: Sequence[TextFeatures], golds: Sequence[Gold]) -> Decisions:
    """Concatenate the decisions of texts.

    Raises `InputError` as `checked_golds` does.
    """
    rows, right = [], []
    for text, gold in zip(features, checked_golds(features, golds), strict=True):
        rows.append(inner_rows(text))
        marks = np.zeros(text.n, dtype=bool)
        marks[gold] = True
        right.append(marks[1:])
    lengths = np.concatenate([np.diff(part.ptr) for part in rows])
    joined = NodeRows(
        prefix(lengths),
        np.concatenate([part.idx for part in rows]),
        np.concatenate([part.values for part in rows]),
    )
    return Decisions(joined, np.concatenate(right))


def inner_rows(features: TextFeatures) -> NodeRows:
    """Return the rows of all sentences but the first; indices and values are views."""
    ptr, idx, values = features.nodes
    if features.n == 0:
        return NodeRows(np.zeros(1, dtype=np.int64), idx[:0], values[:0])
    begin = int(ptr[1])
    return NodeRows(ptr[1:] - begin, idx[begin:], values[begin:])


def linear_scores(features: TextFeatures, weights: Floats, intercept: float) -> Floats:
    """Return the linear score of each sentence, shape (n,); columns beyond the weights count 0."""
    ptr, idx, values = features.nodes
    if idx.size and int(idx.max()) >= weights.size:
        weights = np.concatenate([weights, np.zeros(int(idx.max()) + 1 - weights.size)])
    rows = np.repeat(np.arange(features.n), np.diff(ptr))
    sums = np.bincount(rows, weights=weights[idx] * values, minlength=features.n)
    return sums.astype(np.float64) + intercept


def weight_count(features: Sequence[TextFeatures], *, edges: bool = True) -> int:
    """Return the number of weights that the features of texts need, with `edges` those of edges."""
    most = max((int(text.nodes.idx.max(initial=-1)) + 1 for text in features), default=0)
    if not edges:
        return most
    for text in features:
        for column in text.edges:
            bins = 0 if column.bins is None else int(column.bins.max(initial=0))
            most = max(most, column.first + bins + 1)
    return most


# Tuning on development texts: the offset, and the option that sets the strength of regularisation.

# Grids of offsets in units of the loss of one boundary, which scales the scores; set by hand.
_COARSE = np.arange(-12, 13) / 4
_FINE = np.arange(-4, 5) / 20
_FOLDS = 3  # parts of the training texts that are development texts in turn; set by hand


def f1_of(golds: Sequence[Ints], hyps: Sequence[Ints]) -> float:
    """Return micro-averaged F1 over inner boundaries; `nan` if no text has an inner boundary.

    Examples
    --------
    >>> f1_of([np.array([0, 2, 5])], [np.array([0, 2, 3])])
    0.5

    """
    hits = sum(
        int(np.isin(ours, gold, assume_unique=True).sum()) - min(len(ours), 1)
        for gold, ours in zip(golds, hyps, strict=True)
    )
    sizes = (sum(max(len(starts) - 1, 0) for starts in texts) for texts in (hyps, golds))
    return Counts(hits, *sizes).f1


def tune_offset(
    golds: Sequence[Ints], decoders: Sequence[Callable[[float], Ints]]
) -> tuple[float, float]:
    """Return the offset with the highest F1 on development texts, and that F1.

    `golds` has the starts of the paragraphs of each text, `decoders` the function
    `Method.by_offset` of each. The grid is -3 to 3 in steps of 1/4, then steps of 1/20 around the
    best. Ties go to the offset closest to 0, then to the positive one. Training weighs missing and
    spurious boundaries equally, which does not maximise F1.
    """

    def best(offsets: Floats) -> tuple[float, float]:
        tried = []
        for offset in offsets.tolist():
            value = f1_of(golds, [decoder(offset) for decoder in decoders])
            tried.append((0.0 if np.isnan(value) else value, -abs(offset), offset))
        value, _, offset = max(tried)
        return offset, value

    coarse, _ = best(_COARSE)
    return best(np.round(coarse + _FINE, 2))


class Choice(NamedTuple):
    """The option and the offset of a method with the highest F1 on development texts."""

    option: str  # the name of the option
    value: float
    offset: float
    f1: float
    # Each value of the option with its best offset and the F1 of both.
    tried: list[tuple[float, float, float]]


def choose(
    kind: type[Method],
    options: Mapping[str, Any],
    features: Sequence[TextFeatures],
    golds: Sequence[Ints],
    splits: Sequence[tuple[Sequence[int], Sequence[int]]],
) -> Choice:
    """Choose the option `kind.tuned` and the offset of a method by F1 on development texts.

    `options` are the other options of the method. A split has the indices of its training texts and
    of its development texts; F1 is over the development texts of all splits. Ties go to the earlier
    value, which regularises more strongly.

    Raises `OptionError` when the method has nothing to tune.
    """
    if kind.tuned is None:
        raise OptionError(f"the method {kind.name!r} has nothing to tune")
    name, values = kind.tuned
    right = [golds[k] for _, dev in splits for k in dev]
    tried = []
    for value in values:
        decoders: list[Callable[[float], Ints]] = []
        for learn, dev in splits:
            method = kind(**{**options, name: value})
            method.fit([features[k] for k in learn], [golds[k] for k in learn])
            decoders += [method.by_offset(features[k]) for k in dev]
        tried.append((value, *tune_offset(right, decoders)))
    value, offset, f1 = max(tried, key=lambda one: one[2])
    return Choice(name, value, offset, f1, tried)


def folds_of(groups: Sequence[str]) -> list[list[str]]:
    """Return the groups of texts, such as books, in up to three folds, each in turn held out.

    Examples
    --------
    >>> folds_of(["emma", "emma", "ulysses", "walden", "dracula"])
    [['dracula', 'walden'], ['emma'], ['ulysses']]

    """
    names = sorted(set(groups))
    return [names[k::_FOLDS] for k in range(min(_FOLDS, len(names)))]
