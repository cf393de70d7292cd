"""The paragraph segmenter, which combines features with a method; and the methods by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from inspect import signature
from itertools import zip_longest
from math import isfinite
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from bitext.errors import (
    BitextError,
    FormatError,
    InputError,
    OptionError,
    check_truths,
    did_you_mean,
)
from bitext.kernels.arrays import Floats, Ints
from bitext.model import Segmentation, Text
from bitext.segment.features.text import TextFeatures
from bitext.segment.method import Method, choose, f1_of, folds_of, tune_offset
from bitext.segment.model_files import ModelParts, model_path, read_model, write_model
from bitext.segment.rivals import Boosting, ChainCrf, LinearSvm, Majority, QuoteRule
from bitext.segment.semi_markov import starts_of
from bitext.segment.training import MaxMarginChain, PassReport, SemiMarkov, TrainingState

if TYPE_CHECKING:
    from pathlib import Path

    from bitext.segment.features.groups import FeatureOptions
    from bitext.segment.features.model import FeatureModel

# Training texts: their names, and the first sentences of their gold paragraphs.


def as_text(text: Text | Sequence[str]) -> Text:
    """Return a text or a sequence of sentences as a `Text`."""
    return text if isinstance(text, Text) else Text(text)


def with_gold(texts: Sequence[Text]) -> tuple[list[str], list[Text], list[Ints]]:
    """Return the names of texts, the texts, and the first sentences of their paragraphs.

    Texts without sentences are left out.

    Raises `InputError` when a text has no paragraphs, or no text has a sentence.
    """
    if isinstance(texts, Text | str):
        raise InputError("want a list of texts, not one of them alone: [text]")
    names, known, golds = [], [], []
    for k, text in enumerate(texts):
        if not isinstance(text, Text):
            raise InputError(f"text {k} is a {type(text).__name__}: want a Text with paragraphs")
        if not len(text):
            continue
        name = text.name or f"text {k}"
        if text.paragraphs is None:
            raise InputError(f"{name} has no paragraphs: want texts whose paragraphs are known")
        names.append(name)
        known.append(text)
        golds.append(starts_of(text.paragraphs, len(text), name))
    if not known:
        raise InputError("there is no sentence in the texts: want one text or more")
    return names, known, golds


# Validation of the parts of a model file.


def segmenter_parts(parts: ModelParts, name: str) -> dict[str, Any]:
    """Return the learned attributes of a segmenter from the parts of a model.

    Raises `FormatError` when a part is missing, malformed, or inconsistent with other parts.
    """
    from bitext.segment.features.model import FeatureModel

    settings = parts.settings
    longest, offset, breaks = (settings.get(key) for key in ("longest", "offset", "breaks"))
    if not (isinstance(longest, int) and longest >= 1 and isinstance(breaks, bool)):
        raise _damaged(name, "the longest paragraph or the breaks are missing from its settings")
    if longest > LONGEST:
        raise _damaged(name, f"its longest paragraph is {longest}: want {LONGEST:,} at most")
    if not isinstance(offset, int | float) or not np.isfinite(offset):
        raise _damaged(name, "the offset is missing from its settings")
    try:
        features = FeatureModel.from_parts(parts.features, parts.of("features"))
    except (BitextError, KeyError, TypeError, ValueError, IndexError) as error:
        raise _damaged(name, f"its features cannot be read ({error!r:.80})") from error
    if features.longest != longest:
        raise _damaged(
            name, f"its longest paragraph is {longest}, its features' {features.longest}"
        )
    _check_names(parts, features, name)
    attributes = {
        "features_": features,
        "longest_": longest,
        "offset_": float(offset),
        "breaks_": breaks,
    }
    # Without breaks a model of any method is saved as weights of zero.
    if parts.method == "semi-markov" or not breaks:
        weights = parts.of("method").get("weights")
        if weights is None or weights.shape != (features.size,) or weights.dtype.kind != "f":
            raise _damaged(name, f"want {features.size} weights, one a feature")
        if not np.isfinite(weights).all():
            raise _damaged(name, "a weight is not finite")
    if not breaks:
        return attributes

    if parts.method not in METHODS:
        raise _damaged(name, f"its method {parts.method!r} is none of: {', '.join(METHODS)}")
    try:
        method = METHODS[parts.method].from_parts(parts.learned, parts.of("method"))
    except BitextError as error:
        raise _damaged(name, str(error)) from error
    return {**attributes, "method_": method}


def _check_names(parts: ModelParts, features: FeatureModel, path: str) -> None:
    """Refuse weights with names in another order than their features, as after sorting."""
    names = features.names() if parts.names else ()
    pairs = enumerate(zip_longest(parts.names, names, fillvalue="none"), start=1)
    wrong = next(((k, *pair) for k, pair in pairs if pair[0] != pair[1]), None)
    if wrong is not None:
        number, found, expected = wrong
        raise FormatError(
            f"weight {number} is that of {found!r:.40}, and the feature there is {expected!r:.40}: "
            f"keep all lines of the weights, in the order of the export",
            path=path,
        )


def _damaged(name: str, fault: str) -> FormatError:
    return FormatError(f"{fault}: the model is damaged; train it anew", path=name)


# Validation of the options of a segmenter.

LONGEST = 1000  # maximum of M, in sentences; set by hand: time and memory are proportional to M


def check_options(options: Mapping[str, Any]) -> None:
    """Check the options `longest`, `offset` and `method`, and those of semi-Markov training.

    Raises `OptionError` when the value of an option is not allowed.
    """
    longest, offset, method = options["longest"], options["offset"], options["method"]
    if longest is not None and not (isinstance(longest, Integral) and 1 <= int(longest) <= LONGEST):
        raise OptionError(f"the longest paragraph is {longest!r}: want 1 to {LONGEST:,} sentences")
    if offset != "tuned" and not (isinstance(offset, Real) and isfinite(offset)):
        raise OptionError(f"the offset is {offset!r}: want a number, or 'tuned'")
    kind = _known(method)
    if kind.tuned is None and offset != 0.0:
        raise OptionError(f"the method {method!r} has no offset: leave it out")
    if options["tune"]:
        if kind.tuned is None:
            raise OptionError(f"the method {method!r} has nothing to tune")
        if options["cost"] is not None or offset not in {0.0, "tuned"}:
            raise OptionError("the cost and the offset are to be tuned: give neither")
    if method == "semi-markov":
        made_method(options)


def _own_options(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of the method of a segmenter among those given."""
    own = method_options(options["method"])
    return {name: options[name] for name in own if options.get(name) is not None}


def made_method(options: Mapping[str, Any]) -> Method:
    """Construct the untrained method of a segmenter with its own options among those given."""
    return make_method(options["method"], **_own_options(options))


def feature_options(features: str | FeatureOptions) -> FeatureOptions:
    """Return the options of features, with the name of a preset replaced by its options.

    Raises `OptionError` when no preset has the name; the message suggests the nearest name.
    """
    from bitext.segment.features.groups import PRESETS

    if not isinstance(features, str):
        return features
    if features not in PRESETS:
        hint = did_you_mean(features, PRESETS)
        raise OptionError(f"no features {features!r}; {hint}the presets: {', '.join(PRESETS)}")
    return PRESETS[features]


# Range of the default M, in sentences; set by hand: training texts may lack long paragraphs, and
# time and memory are proportional to M.
_SHORTEST = 30
_LONGEST = 300


class ParagraphSegmenter:
    """Segmenter of texts into paragraphs, trained on texts with paragraphs.

    The interface follows scikit-learn: the constructor only stores its options, and the names of
    attributes set by `fit` end in an underscore.

    Parameters
    ----------
    method : str
        One of `bitext.segment.segmenter.METHODS`.
    features : str or FeatureOptions
        The name of a preset, or options (`bitext.segment.features.model`).
    solver, cost, passes, tolerance, seed
        As of `bitext.segment.training.train`, or of the method. `None` is the default of
        the method; for both max-margin methods, a cost of 0.01 a text.
    longest : int, optional
        M, the maximum number of sentences of a paragraph, 1000 at most; by default that of the
        longest training paragraph, clipped to 30 to 300.
    offset : float or "tuned"
        The number added to the score of each boundary, for methods with scores. "tuned" chooses the
        offset with the highest F1 on the held-out texts of `fit`.
    tune : bool
        Whether `fit` chooses the strength of regularisation and the offset with the highest F1 on
        held-out texts: `cost` (of `crf` `l2`, of `boosting` the rounds).

    Attributes
    ----------
    features_ : FeatureModel
        The features of the training texts.
    method_ : Method
        The fitted method; not there if `breaks_` is not true.
    weights_ : array of float64
        The weights of a `semi-markov` model, one a feature.
    longest_, offset_ : int, float
        M and the offset in use.
    breaks_ : bool
        Whether the training texts had any break. If not, every text is predicted as one paragraph.
    notes_ : tuple of str
        Notes on the training texts, such as gold paragraphs that were cut.
    card_ : dict
        Figures of the training texts, the options and the training, saved with the model; JSON
        members may be added.

    Examples
    --------
    >>> texts = [
    ...     Text(["“Go!” he said.", "“Why?”", "The rain fell.", "It was cold."] * 3,
    ...          paragraphs=Segmentation([1, 1, 2] * 3))
    ... ]
    >>> segmenter = ParagraphSegmenter(cost=1.0).fit(texts)
    >>> list(segmenter.predict(["“Go!” he said.", "“Why?”", "The rain fell.", "It was cold."]))
    [1, 1, 2]

    """

    features_: FeatureModel
    method_: Method
    longest_: int
    offset_: float
    breaks_: bool
    notes_: tuple[str, ...]
    card_: dict[str, Any]

    def __init__(
        self,
        method: str = "semi-markov",
        *,
        features: str | FeatureOptions = "default",
        solver: str = "auto",
        cost: float | None = None,
        passes: int | None = None,
        tolerance: float = 1e-3,
        longest: int | None = None,
        offset: float | str = 0.0,
        tune: bool = False,
        seed: int = 0,
    ) -> None:
        check_truths(tune=tune)
        self.method = method
        self.features = features
        self.solver = solver
        self.cost = cost
        self.passes = passes
        self.tolerance = tolerance
        self.longest = longest
        self.offset = offset
        self.tune = tune
        self.seed = seed

    _options: ClassVar[tuple[str, ...]] = tuple(signature(__init__).parameters)[1:]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the options; `deep` is ignored, and exists for scikit-learn."""
        del deep
        return {name: getattr(self, name) for name in self._options}

    def set_params(self, **options: Any) -> Self:
        """Set options by name.

        Raises
        ------
        OptionError
            When there is no option of that name.

        """
        for name, value in options.items():
            if name not in self._options:
                raise OptionError(f"no option {name!r}; there are {', '.join(self._options)}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        plain = type(self)().get_params()
        changed = (f"{k}={v!r}" for k, v in self.get_params().items() if v != plain[k])
        return f"{type(self).__name__}({', '.join(changed)})"

    @property
    def weights_(self) -> Floats:
        """The weights of a fitted `semi-markov` model, one a feature."""
        if self.method != "semi-markov":
            raise AttributeError(f"a segmenter of the method {self.method!r} has no weights_")
        if not self.breaks_:
            return np.zeros(self.features_.size)
        weights: Floats = self.method_.weights  # type: ignore[attr-defined]
        return weights

    def fit(
        self,
        texts: Sequence[Text],
        *,
        held_out: Sequence[Text] = (),
        groups: Sequence[str] | None = None,
        on_pass: Callable[[PassReport], None] | None = None,
        state: TrainingState | None = None,
    ) -> Self:
        """Train the segmenter on one or more texts with paragraphs.

        Texts without sentences are left out. If no text has a break, the segmenter predicts none,
        with a note.

        Parameters
        ----------
        texts : sequence of Text
            The training texts, with paragraphs.
        held_out : sequence of Text
            Texts with paragraphs for tuning (`offset="tuned"` or `tune`); not trained on. Without
            them, `tune` holds out each third of the groups of the training texts in turn.
        groups : sequence of str, optional
            The book of each text, to hold out whole books; by default each text is a group.
        on_pass, state
            As of `bitext.segment.training.train` (`semi-markov` only).

        Raises
        ------
        InputError
            When no text has a sentence, or a text has no paragraphs.
        OptionError
            When the value of an option is not allowed.
        MissingExtraError
            When the method needs a package that is not installed.

        """
        check_options(self.get_params())
        names, known, golds = with_gold(texts)
        tuning = with_gold(held_out)[1:] if held_out else ([], [])
        if self.offset == "tuned" and not self.tune and not tuning[0]:
            raise OptionError("the offset is to be tuned: give held-out texts to tune it on")
        most = max(
            int(np.diff(gold, append=len(text)).max())
            for text, gold in zip(known, golds, strict=True)
        )

        # Methods that do not learn predict breaks even if no training text has one.
        self.breaks_ = not METHODS[self.method].learns or any(len(gold) > 1 for gold in golds)
        self.longest_ = self.longest or min(max(most if self.breaks_ else 0, _SHORTEST), _LONGEST)
        notes = [] if self.breaks_ else ["no training text has a break: the model will put none"]
        from bitext.segment.features.model import FeatureModel

        self.features_ = FeatureModel.fit(known, feature_options(self.features), self.longest_)
        # `held_out`: the entropy of a training text is computed without its own counts, so that it
        # is comparable with the entropy of new texts.
        seen = [self.features_.of(text, held_out=True) for text in known] if self.breaks_ else []
        self.offset_ = 0.0 if self.offset == "tuned" else float(self.offset)
        self.card_ = {
            "texts": len(known),
            "sentences": sum(map(len, known)),
            "paragraphs": sum(map(len, golds)),
            "options": {
                name: value
                for name, value in self.get_params().items()
                if value is None or isinstance(value, str | int | float)
            },
        }
        if not self.breaks_:
            self.notes_ = tuple(notes)
            return self
        held_out_features = [self.features_.of(text) for text in tuning[0]]
        chosen = self.get_params()
        if self.tune:
            splits, folds = self._splits(texts, known, held_out_features, groups)
            choice = choose(
                METHODS[self.method],
                _own_options(chosen),
                [*seen, *held_out_features],
                [*golds, *tuning[1]],
                splits,
            )
            chosen[choice.option], self.offset_ = choice.value, choice.offset
            self.card_["tuning"] = {**choice._asdict(), "folds": folds}
        method = made_method(chosen)
        if isinstance(method, SemiMarkov):
            resumed: dict[str, Any] = {}
            if not isinstance(method, MaxMarginChain):
                resumed = {"size": self.features_.size, "on_pass": on_pass, "state": state}
            method.fit(seen, golds, names=names, **resumed)
            self.card_["training"] = method.outcome
        else:
            method.fit(seen, golds)
        notes += method.notes
        self.method_ = method
        if self.offset == "tuned" and not self.tune:
            self.offset_, value = tune_offset(
                tuning[1], [*map(method.by_offset, held_out_features)]
            )
            self.card_["offset"] = {"value": self.offset_, "f1": value}
        method.offset = self.offset_
        self.notes_ = tuple(notes)
        return self

    def predict(self, text: Text | Sequence[str]) -> Segmentation:
        """Return the paragraphs of a text, or of a sequence of sentences.

        Raises
        ------
        InputError
            When the text has no sentence, or the segmenter is not fitted.

        """
        known = as_text(text)
        if not len(known):
            raise InputError(
                f"{known.name or 'the text'} has no sentence: there is nothing to put breaks into"
            )
        starts = self._starts(known)
        return Segmentation(np.diff(starts, append=len(known)))

    def predict_many(self, texts: Iterable[Text | Sequence[str]]) -> Iterator[Segmentation]:
        """Yield the paragraphs of each text; a text is decoded when its turn comes."""
        if isinstance(texts, Text | str):
            raise InputError("want a list of texts, not one of them alone: [text]")
        return map(self.predict, texts)

    def confidence(self, text: Text | Sequence[str]) -> Floats:
        """Return the probability that each sentence begins a paragraph, shape (n,).

        For `semi-markov` these are the marginals of the log-linear model with the weights. The
        weights are trained for a margin, not for probabilities, which tend to be moderate. The
        probability of the first sentence is 1.

        Raises
        ------
        InputError
            When the segmenter is not fitted.
        OptionError
            When the method has no probabilities.

        """
        known = as_text(text)
        self._check_fitted()
        if not self.breaks_ or not len(known):
            chances = np.zeros(len(known))
            chances[:1] = 1.0
            return chances
        return self.method_.confidence(self.features_.of(known))

    def score(self, texts: Sequence[Text]) -> float:
        """Return micro-averaged F1 over the inner boundaries of texts.

        F1 is between 0 and 1; `nan` if neither the gold nor the predicted paragraphs have an inner
        boundary.

        Raises
        ------
        InputError
            When a text has no paragraphs, or the segmenter is not fitted.

        """
        _, known, golds = with_gold(texts)
        return f1_of(golds, [self._starts(text) for text in known])

    def save(self, path: str | Path) -> None:
        """Save the segmenter to a file, without pickles.

        Raises
        ------
        InputError
            When the segmenter is not fitted, or the file cannot be written.

        """
        write_model(path, self.to_parts())

    @classmethod
    def load(cls, model: str | Path) -> Self:
        """Load a segmenter from a file, or a model that ships with the package.

        Parameters
        ----------
        model : path or str
            A file, or the code of a language, such as "en" or "de"; "en-GB" falls back to "en".

        Raises
        ------
        OptionError
            When no model of the language ships; the message lists the languages.
        FormatError
            When the file is not a model, is truncated, or is of another version.

        """
        return cls.from_parts(read_model(model_path(model)), name=str(model))

    def to_parts(self) -> ModelParts:
        """Return the learned state as the parts of a model file."""
        self._check_fitted()
        features, feature_arrays = self.features_.to_parts()
        learned: dict[str, Any] = {}
        arrays: dict[str, NDArray[Any]] = {"weights": np.zeros(self.features_.size)}
        if self.breaks_:
            learned, arrays = self.method_.to_parts()
        settings = {"longest": self.longest_, "offset": self.offset_, "breaks": self.breaks_}
        together = {f"features.{name}": array for name, array in feature_arrays.items()}
        together |= {f"method.{name}": array for name, array in arrays.items()}
        return ModelParts(self.method, settings, features, learned, self.card_, together)

    @classmethod
    def from_parts(cls, parts: ModelParts, *, name: str = "the model") -> Self:
        """Rebuild a segmenter from the output of `to_parts`.

        Raises
        ------
        FormatError
            When a part is missing or malformed; the message names the model by `name`.

        """
        attributes = segmenter_parts(parts, name)
        options = parts.card.get("options")
        stored = options if isinstance(options, dict) else {}
        own = {k: v for k, v in stored.items() if k in cls._options}
        own.setdefault("features", attributes["features_"].options)
        segmenter = cls(**{**own, "method": parts.method})
        for attribute, value in attributes.items():
            setattr(segmenter, attribute, value)
        if "method_" in attributes:
            segmenter.method_.offset = segmenter.offset_
        segmenter.notes_, segmenter.card_ = (), parts.card
        if unknown := sorted({*parts.arrays} - {*segmenter.to_parts().arrays}):
            raise FormatError(
                f"has the array {unknown[0]!r:.40}, which its method has no use for: it is no "
                f"model that was written; train it anew",
                path=name,
            )
        return segmenter

    def _splits(
        self,
        texts: Sequence[Text],
        known: Sequence[Text],
        held_out_features: Sequence[TextFeatures],
        groups: Sequence[str] | None,
    ) -> tuple[list[tuple[list[int], list[int]]], list[list[str]]]:
        """Return the splits for tuning, and the groups of each fold, if there is no held-out text.

        Indices number the training texts with sentences, followed by the held-out texts.
        """
        count = len(known)
        if held_out_features:
            return [([*range(count)], [*range(count, count + len(held_out_features))])], []
        if groups is not None and len(groups) != len(texts):
            raise InputError(f"{len(groups)} groups for {len(texts)} texts: want one each")
        group_names = [f"text {k}" for k in range(len(texts))] if groups is None else groups
        of = [group for group, text in zip(group_names, texts, strict=True) if len(text)]
        folds = folds_of(of)
        if len(folds) < 2:
            raise OptionError(
                "there is one book to tune on: give held-out texts, or more books to train on"
            )
        splits = [
            (
                [k for k, group in enumerate(of) if group not in fold],
                [k for k, group in enumerate(of) if group in fold],
            )
            for fold in folds
        ]
        return splits, folds

    def _starts(self, text: Text) -> Ints:
        self._check_fitted()
        if not self.breaks_ or not len(text):
            return np.zeros(min(len(text), 1), dtype=np.int64)
        return self.method_.boundaries(self.features_.of(text), text=text)

    def _check_fitted(self) -> None:
        if not hasattr(self, "features_"):
            raise InputError("the segmenter has learned nothing yet: fit it, or load a model")


# The methods of paragraph segmentation by name.

METHODS: dict[str, type[Method]] = {
    method.name: method
    for method in (Majority, QuoteRule, LinearSvm, Boosting, ChainCrf, MaxMarginChain, SemiMarkov)
}


def make_method(name: str, **options: Any) -> Method:
    """Construct an untrained method by name.

    Raises `OptionError` when the name or an option is unknown (the message suggests the nearest
    name, or lists the options), or the value of an option is not allowed.

    Examples
    --------
    >>> make_method("svm", cost=0.01).chosen()
    {'cost': 0.01, 'passes': 10000, 'seed': 0}

    """
    method = _known(name)
    wrong = next((option for option in options if option not in method.options), None)
    if wrong is not None:
        names = ", ".join(method.options) or "none"
        raise OptionError(f"the method {name!r} has no option {wrong!r}; its options: {names}")
    try:
        return method(**options)
    except TypeError as error:
        raise OptionError(f"the method {name!r} cannot have {options}: want numbers") from error


def method_options(name: str) -> dict[str, Any]:
    """Return the options of a method with their defaults.

    Raises `OptionError` when no method has the name; the message suggests the nearest name.

    Examples
    --------
    >>> method_options("crf")
    {'l2': 10.0, 'passes': 100}

    """
    return _known(name)().chosen()


def _known(name: str) -> type[Method]:
    if name not in METHODS:
        hint = did_you_mean(name, METHODS)
        raise OptionError(f"no method {name!r}; {hint}the methods: {', '.join(METHODS)}")
    return METHODS[name]
