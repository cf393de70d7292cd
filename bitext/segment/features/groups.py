"""Groups of features by name, options of the feature model, and presets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from bitext.errors import OptionError
from bitext.kernels.arrays import Ints
from bitext.segment.features import Column, Joint, Lexicons, columns
from bitext.segment.features.columns import EdgeBlock, EdgeColumnPart
from bitext.segment.features.text import TextView


@dataclass(frozen=True, slots=True)
class NodeGroup:
    """A group of node features."""

    ask: Callable[[TextView], list[Column]]  # function from a text to its columns
    # `before`, `after`: neighbours on each side in addition to `FeatureOptions.neighbours`, unless
    # this is 0.
    before: int = 0
    after: int = 0
    # Whether the columns are used for the sentence only, without those of its neighbours.
    alone: bool = False

    @property
    def doc(self) -> str:
        """The description of the group: the first sentence of the docstring of `ask`."""
        return _sentence(self.ask.__doc__)

    def offsets(self, neighbours: int) -> range:
        """Return the offsets from a sentence at which its columns are taken."""
        if self.alone or not neighbours:
            return range(1)
        return range(-neighbours - self.before, neighbours + self.after + 1)


@dataclass(frozen=True, slots=True)
class EdgeGroup:
    """A group of edge features; `ask` returns the columns of a block of paragraphs."""

    ask: Callable[[EdgeBlock], list[EdgeColumnPart]]

    @property
    def doc(self) -> str:
        """The description of the group: the first sentence of the docstring of `ask`."""
        return _sentence(self.ask.__doc__)


def _sentence(doc: str | None) -> str:
    return (doc or "").split("\n\n")[0].strip().removeprefix("Return ")


GROUPS: dict[str, NodeGroup | EdgeGroup] = {
    "bias": NodeGroup(columns.bias, alone=True),
    "length": NodeGroup(columns.length, before=1),
    "characters": NodeGroup(columns.characters),
    "position": NodeGroup(columns.position, alone=True),
    "final-punctuation": NodeGroup(columns.final_punctuation, before=1),
    "capitals": NodeGroup(columns.capitals),
    "overlap": NodeGroup(columns.overlap),
    "dice": NodeGroup(columns.dice),
    "first-word": NodeGroup(columns.first_word),
    "words": NodeGroup(columns.words),
    "words-with-previous": NodeGroup(columns.words_with_previous),
    "words-with-next": NodeGroup(columns.words_with_next),
    "inner-product": NodeGroup(columns.inner_product),
    "joint-product": NodeGroup(columns.joint_product),
    "cosine": NodeGroup(columns.cosine_with_previous),
    "quotes": NodeGroup(columns.quotes),
    "quotes-before": NodeGroup(columns.quotes_before, alone=True),
    "half-marks": NodeGroup(columns.half_marks),
    "marks": NodeGroup(columns.quote_marks, before=1),
    "shape": NodeGroup(columns.shape),
    "ends": NodeGroup(columns.ends, before=1),
    "form": NodeGroup(columns.form, before=2, after=1),
    "narration": NodeGroup(columns.narration),
    "speech": NodeGroup(columns.speech),
    "entropy": NodeGroup(columns.entropy),
    "first-words": NodeGroup(columns.first_words, alone=True),
    "last-word": NodeGroup(columns.last_word),
    "numerals": NodeGroup(columns.numerals),
    "topic-shift": NodeGroup(columns.topic_shift, alone=True),
    "drop": NodeGroup(columns.drop, alone=True),
    "forms-joined": NodeGroup(columns.forms_joined, alone=True),
    "form-lengths": NodeGroup(columns.form_lengths, alone=True),
    "first-words-joined": NodeGroup(columns.first_words_joined, alone=True),
    "ends-joined": NodeGroup(columns.ends_joined, alone=True),
    "speech-joined": NodeGroup(columns.speech_joined, alone=True),
    "marks-joined": NodeGroup(columns.marks_joined, alone=True),
    "edge-length": EdgeGroup(columns.edge_length),
    "edge-entropy": EdgeGroup(columns.edge_entropy),
    "edge-words": EdgeGroup(columns.edge_words),
    "edge-cosine": EdgeGroup(columns.edge_cosine),
    "edge-balance": EdgeGroup(columns.edge_balance),
    "edge-marks": EdgeGroup(columns.edge_marks),
    "edge-pairs": EdgeGroup(columns.edge_pairs),
    "edge-turns": EdgeGroup(columns.edge_turns),
    "edge-narration": EdgeGroup(columns.edge_narration),
}
"""All groups by name; `GROUPS[name].doc` describes a group."""

# Shi, Altun, Smola and Vishwanathan (2007), section 3, in its order (see `PRESETS`).
_PAPER = (
    "bias",
    "length",
    "position",
    "final-punctuation",
    "capitals",
    "dice",
    "first-word",
    "words",
    "words-with-previous",
    "words-with-next",
    "joint-product",
    "cosine",
    "entropy",
    "half-marks",
    "edge-length",
    "edge-cosine",
    "edge-entropy",
)
_NOT_BY_DEFAULT = {
    "entropy",
    "edge-entropy",
    "characters",
    "words-with-previous",
    "words-with-next",
    "inner-product",
    "quotes-before",  # the same as `quotes` of the neighbour
    "dice",  # `overlap`, over the number of words
    "joint-product",
    "half-marks",  # close to `quotes` and `marks`
}


@dataclass(frozen=True, kw_only=True)
class FeatureOptions:
    """Options of a feature model: groups, scaling, and vocabulary.

    Attributes
    ----------
    groups : tuple of str
        Names in `GROUPS`, of node and edge groups.
    neighbours : int
        The number of sentences on each side whose features are used like those of the sentence.
    scale : {"bins", "min-max"}
        Scalars in bins, or scaled to 0 to 1 by their minimum and maximum in training.
    bins : int
        The number of bins of a scalar.
    min_count : int
        The least number of training sentences with a word or other label that is a feature.
    weights : {"rarity", "counts"}
        Weights of words in similarities: greater for rare words, or all equal.
    bag : {"unit", "binary", "printed"}
        Bags of words of unit length, of 1 for each word, or B / <B, B>, as the paper prints it.
        With one regularisation constant for all weights, the small values of unit length have
        little effect beside labels.

    Raises
    ------
    OptionError
        When a value is not allowed.

    """

    groups: tuple[str, ...] = tuple(name for name in GROUPS if name not in _NOT_BY_DEFAULT)
    neighbours: int = 1
    scale: Literal["bins", "min-max"] = "bins"
    bins: int = 10
    min_count: int = 3
    weights: Literal["rarity", "counts"] = "rarity"
    bag: Literal["unit", "binary", "printed"] = "binary"

    def __post_init__(self) -> None:
        object.__setattr__(self, "groups", tuple(self.groups))
        for name in self.groups:
            if name not in GROUPS:
                raise OptionError(
                    f"there is no feature group {name!r}: want of {', '.join(GROUPS)}"
                )
        if len(set(self.groups)) < len(self.groups):
            raise OptionError("a feature group is named twice: name each once")
        for name, allowed in (
            ("scale", ("bins", "min-max")),
            ("weights", ("rarity", "counts")),
            ("bag", ("unit", "binary", "printed")),
        ):
            if getattr(self, name) not in allowed:
                raise OptionError(f"{name} is {getattr(self, name)!r}: want {' or '.join(allowed)}")
        for name, low, high in (("neighbours", 0, 9), ("bins", 1, 255), ("min_count", 1, 1 << 30)):
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise OptionError(f"{name} is {value!r}: want a whole number, {low} to {high}")


PRESETS: dict[str, FeatureOptions] = {
    "default": FeatureOptions(),
    "paper": FeatureOptions(
        groups=_PAPER, neighbours=0, scale="min-max", min_count=1, weights="counts", bag="printed"
    ),
}
"""The options by name: `default`, and `paper`, the features that Shi et al. (2007) print.

**Source**: Shi, Altun, Smola and Vishwanathan (2007), section 3: the bias; length, relative
position, final punctuation, capitalised words, overlap of the sets of words, 2 |X and Y| /
(|X| + |Y|), first word; bags of words B / <B, B> of the sentence, with the one before and with the
next one; the inner product of both joint bags; cosine with the sentence before; entropy; half the
numbers of quotation marks before and in the sentence, and whether it begins within a quotation; the
length, cosines and entropy of the paragraph. Scalars are scaled to 0 to 1 by their training range.

**Departures** of `paper`:

- The length of a paragraph is in bins: a linear one adds up to the length of the text, whatever the
  paragraphs.
- Entropy is the mean surprisal of words under a bigram model of the *other* training texts; the
  paper does not say which texts its language model is estimated from.
- The inner product is that of the counts of words, before bags are scaled, and is scaled like other
  scalars: the paper leaves the order open.
- Scaled values beyond the training range are clipped to 0 and 1.
"""


def options_of(features: str | FeatureOptions) -> FeatureOptions:
    """Return the options of a preset, or given options unchanged.

    Raises `OptionError` when there is no such preset.
    """
    if isinstance(features, FeatureOptions):
        return features
    if features not in PRESETS:
        raise OptionError(f"there is no feature preset {features!r}: want of {', '.join(PRESETS)}")
    return PRESETS[features]


# Columns of a text for the groups of the options.


def node_columns(view: TextView, options: FeatureOptions) -> list[tuple[str, Column]]:
    """Return the columns of the node groups, each with the name of its group."""
    return [
        (name, column)
        for name in options.groups
        if isinstance(group := GROUPS[name], NodeGroup)
        for column in view.once(group.ask)
    ]


def edge_parts(
    view: TextView, options: FeatureOptions
) -> Iterator[tuple[str, EdgeBlock, EdgeColumnPart]]:
    """Yield the columns of the edge groups, block by block."""
    named = [(name, GROUPS[name]) for name in options.groups]
    groups = [(name, group) for name, group in named if isinstance(group, EdgeGroup)]
    for first, last in view.blocks():
        block = EdgeBlock(view, first, last)
        for name, group in groups:
            for part in group.ask(block):
                yield name, block, part


def numbers_of(seen: Sequence[Column], lexicons: Lexicons) -> dict[str, Ints]:
    """Return the label numbers of the parts of conjunctions, by the name of the column."""
    numbers: dict[str, Ints] = {}
    for column in seen:
        if isinstance(column, Joint):
            for part, _ in column.parts:
                if part.name not in numbers:
                    numbers[part.name] = lexicons.numbers(part)
    return numbers
