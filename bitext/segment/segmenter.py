"""The paragraph segmenter: features, a method and its options under one roof."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from bitext.errors import FormatError, InputError, OptionError
from bitext.model import Segmentation, Text
from bitext.segment.gold_texts import as_text, with_gold
from bitext.segment.model_files import ModelParts, read_model, write_model
from bitext.segment.offset import f1_of, tune_offset
from bitext.segment.segmenter_options import (
    check_options,
    feature_options,
    made_method,
    training_options,
)
from bitext.segment.semi_markov import decode, marginals
from bitext.segment.shipped_models import model_path

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from bitext.segment.checkpoints import TrainingState
    from bitext.segment.features import FeatureModel, FeatureOptions
    from bitext.segment.method import Method
    from bitext.segment.text_features import TextFeatures
    from bitext.segment.training import PassReport

__all__ = ["ParagraphSegmenter"]

_SHORTEST = 30  # the least M
_LONGEST = 300  # the most, unless asked for: memory and time are in proportion to it


class ParagraphSegmenter:
    """Puts paragraphs into texts; learns where from texts that have them.

    Made in the habit of scikit-learn: the constructor only keeps its options, and what `fit`
    learns ends in an underscore.

    Parameters
    ----------
    method : str
        One of `bitext.segment.methods.METHODS`.
    features : str or FeatureOptions
        A preset, or options of one's own (`bitext.segment.features`).
    solver, cost, passes, tolerance, seed
        As of `bitext.segment.training.train`, or of the method; `None` is its default, and for
        `semi-markov` a cost of 0.01 a text.
    longest : int, optional
        M, the most sentences of a paragraph: by default as many as the longest training
        paragraph has, within 30 to 300; 1000 at most.
    offset : float or "tuned"
        What is added to the score of every boundary (`semi-markov` only). "tuned" takes what
        is best for F1 on the held-out texts that `fit` is given.

    Attributes
    ----------
    features_ : FeatureModel
    weights_ : array of float64
        Of a `semi-markov` model, one a feature.
    method_ : Method
        Of another method, what it learned.
    longest_, offset_ : int, float
    breaks_ : bool
        Whether the training texts had a break at all: without, there is nothing to learn where
        one goes, and texts are left whole.
    notes_ : tuple of str
        What was odd about the training texts.
    card_ : dict
        What the model was made of; goes into its file. Members of JSON may be added.

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

    _options: ClassVar[tuple[str, ...]] = (
        "method",
        "features",
        "solver",
        "cost",
        "passes",
        "tolerance",
        "longest",
        "offset",
        "seed",
    )

    features_: FeatureModel
    weights_: NDArray[np.float64]
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
        seed: int = 0,
    ) -> None:
        self.method = method
        self.features = features
        self.solver = solver
        self.cost = cost
        self.passes = passes
        self.tolerance = tolerance
        self.longest = longest
        self.offset = offset
        self.seed = seed

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the options; `deep` is for the habit of scikit-learn."""
        del deep
        return {name: getattr(self, name) for name in self._options}

    def set_params(self, **options: Any) -> Self:
        """Set options.

        Raises
        ------
        OptionError
            When there is no such option.

        """
        for name, value in options.items():
            if name not in self._options:
                raise OptionError(f"no option {name!r}; there are {', '.join(self._options)}")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        plain = type(self)().get_params()
        told = (f"{k}={v!r}" for k, v in self.get_params().items() if v != plain[k])
        return f"{type(self).__name__}({', '.join(told)})"

    def fit(
        self,
        texts: Sequence[Text],
        *,
        held_out: Sequence[Text] = (),
        on_pass: Callable[[PassReport], None] | None = None,
        state: TrainingState | None = None,
    ) -> Self:
        """Learn from texts with paragraphs; one is enough.

        Texts without sentences are left out. When no text has a break, that is noted, and what is
        learned is to put none.

        Parameters
        ----------
        texts : sequence of Text
        held_out : sequence of Text
            Not learned from: the offset is tuned on them (`offset="tuned"`).
        on_pass, state
            As of `bitext.segment.training.train` (`semi-markov` only).

        Raises
        ------
        InputError
            When there is no sentence, or a text has no paragraphs.
        OptionError
            When an option is not allowed.
        MissingExtraError
            When the method needs a package that is not installed.

        """
        check_options(self.get_params())
        names, known, golds = with_gold(texts)
        tuning = with_gold(held_out)[1:] if held_out else ([], [])
        if self.offset == "tuned" and not tuning[0]:
            raise OptionError("the offset is to be tuned: give held-out texts to tune it on")
        most = max(
            int(np.diff(gold, append=len(text)).max())
            for text, gold in zip(known, golds, strict=True)
        )
        from bitext.segment.methods import METHODS

        self.breaks_ = not METHODS[self.method].learns or any(len(gold) > 1 for gold in golds)
        self.longest_ = self.longest or min(max(most if self.breaks_ else 0, _SHORTEST), _LONGEST)
        notes = [] if self.breaks_ else ["no training text has a break: the model will put none"]
        from bitext.segment.features import FeatureModel

        self.features_ = FeatureModel.fit(known, feature_options(self.features), self.longest_)
        seen = [self.features_.of(text, held_out=True) for text in known] if self.breaks_ else []
        self.offset_ = 0.0 if self.offset == "tuned" else float(self.offset)
        self.card_ = {
            "texts": len(known),
            "sentences": sum(map(len, known)),
            "paragraphs": sum(map(len, golds)),
            "options": {k: v for k, v in self.get_params().items() if _plain(v)},
        }
        if not self.breaks_:
            self.weights_ = np.zeros(self.features_.size)
        elif self.method == "semi-markov":
            notes += self._train(seen, golds, names, on_pass, state)
            if self.offset == "tuned":
                held = [self.features_.of(text) for text in tuning[0]]
                self.offset_, value = tune_offset(held, tuning[1], self.weights_)
                self.card_["offset"] = {"value": self.offset_, "f1": value}
        else:
            self.method_ = made_method(self.get_params()).fit(seen, golds, texts=known)
        self.notes_ = tuple(notes)
        return self

    def predict(self, text: Text | Sequence[str]) -> Segmentation:
        """Return the paragraphs of a text, given as such or as its sentences.

        Raises
        ------
        InputError
            When it has no sentence, or nothing was learned yet.

        """
        known = as_text(text)
        if not len(known):
            raise InputError(
                f"{known.name or 'the text'} has no sentence: there is nothing to put breaks into"
            )
        starts = self._starts(known)
        return Segmentation(np.diff(starts, append=len(known)))

    def predict_many(self, texts: Iterable[Text | Sequence[str]]) -> Iterator[Segmentation]:
        """Return the paragraphs of each text, one after another as they are asked for."""
        return map(self.predict, texts)

    def confidence(self, text: Text | Sequence[str]) -> NDArray[np.float64]:
        """Return the probability that each sentence begins a paragraph, shape (n,).

        That of the log-linear model with these weights; they were trained for a margin, not for
        probabilities, which tend to be moderate. Of the first sentence it is 1.

        Raises
        ------
        InputError
            When nothing was learned yet.
        OptionError
            When the method has no probabilities.

        """
        known = as_text(text)
        self._check_fitted()
        if not self.breaks_ or not len(known):
            chances = np.zeros(len(known))
            chances[:1] = 1.0
            return chances
        features = self.features_.of(known)
        if self.method != "semi-markov":
            return self.method_.confidence(features, text=known)
        return marginals(*self._scores(features))

    def score(self, texts: Sequence[Text]) -> float:
        """Return F1 over the breaks of all texts together, their first sentences left out.

        Between 0 and 1; `nan` where neither the texts nor the answers have a break.

        Raises
        ------
        InputError
            When a text has no paragraphs, or nothing was learned yet.

        """
        _, known, golds = with_gold(texts)
        return f1_of(golds, [self._starts(text) for text in known])

    def save(self, path: str | Path) -> None:
        """Write what was learned to a file, without pickles.

        Raises
        ------
        InputError
            When nothing was learned yet.

        """
        write_model(path, self.to_parts())

    @classmethod
    def load(cls, model: str | Path) -> Self:
        """Return a segmenter that was saved, or one that ships with the package.

        Parameters
        ----------
        model : path or str
            A file, or the code of a language: "en", "de"; "en-GB" is answered by "en".

        Raises
        ------
        OptionError
            When there is no model of that language; tells those there are.
        FormatError
            When the file is no model, is cut short, or is of another version.

        """
        return cls.from_parts(read_model(model_path(model)), name=str(model))

    def to_parts(self) -> ModelParts:
        """Return what was learned, as it goes into a file; `model_files` has its readable form."""
        self._check_fitted()
        features, feature_arrays = self.features_.to_parts()
        learned: dict[str, Any] = {}
        arrays: dict[str, NDArray[Any]] = {}
        if self.method == "semi-markov" or not self.breaks_:
            arrays = {"weights": self.weights_}
        else:
            learned, arrays = self.method_.to_parts()
        settings = {"longest": self.longest_, "offset": self.offset_, "breaks": self.breaks_}
        together = {f"features.{name}": array for name, array in feature_arrays.items()}
        together |= {f"method.{name}": array for name, array in arrays.items()}
        return ModelParts(self.method, settings, features, learned, self.card_, together)

    @classmethod
    def from_parts(cls, parts: ModelParts, *, name: str = "the model") -> Self:
        """Make a segmenter of what `to_parts` gave; raises `FormatError` where it does not fit."""
        from bitext.segment.model_reading import segmenter_parts

        found = segmenter_parts(parts, name)
        options = parts.card.get("options")
        told = options if isinstance(options, dict) else {}
        kept = {k: v for k, v in told.items() if k in cls._options}
        kept.setdefault("features", found["features_"].options)
        made = cls(**{**kept, "method": parts.method})
        for attribute, value in found.items():
            setattr(made, attribute, value)
        made.notes_, made.card_ = (), parts.card
        if unknown := sorted({*parts.arrays} - {*made.to_parts().arrays}):
            raise FormatError(
                f"has the array {unknown[0]!r:.40}, which its method has no use for: it is no "
                f"model that was written; train it anew",
                path=name,
            )
        return made

    def _train(
        self,
        seen: Sequence[TextFeatures],
        golds: Sequence[NDArray[np.int64]],
        names: Sequence[str],
        on_pass: Callable[[PassReport], None] | None,
        state: TrainingState | None,
    ) -> tuple[str, ...]:
        """Train a semi-Markov model; return what was odd."""
        from bitext.segment.training import train

        trained = train(
            seen,
            golds,
            self.features_.size,
            **training_options(self.get_params()),
            on_pass=on_pass,
            state=state,
            names=names,
        )
        self.weights_ = trained.weights
        told = ("solver", "passes", "converged", "dual", "primal", "gap")
        self.card_["training"] = {name: getattr(trained, name) for name in told}
        return trained.notes

    def _starts(self, text: Text) -> NDArray[np.int64]:
        self._check_fitted()
        if not self.breaks_ or not len(text):
            return np.zeros(min(len(text), 1), dtype=np.int64)
        features = self.features_.of(text)
        if self.method != "semi-markov":
            return self.method_.boundaries(features, text=text)
        return decode(*self._scores(features))[0]

    def _scores(self, features: TextFeatures) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        nodes = features.node_scores(self.weights_) + self.offset_
        return nodes, features.edge_scores(self.weights_)

    def _check_fitted(self) -> None:
        if not hasattr(self, "features_"):
            raise InputError("the segmenter has learned nothing yet: fit it, or load a model")


def _plain(value: object) -> bool:
    return value is None or isinstance(value, str | int | float)
