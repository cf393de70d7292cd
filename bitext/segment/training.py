"""Training of max-margin semi-Markov models, by either solver, pass by pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from bitext.errors import FormatError, InputError, OptionError, check_one_of
from bitext.kernels.arrays import Floats, Ints
from bitext.model import Segmentation
from bitext.segment.features.text import EdgeColumn, TextFeatures
from bitext.segment.method import Method, checked_golds, part, weight_count
from bitext.segment.model_files import read_arrays, write_arrays
from bitext.segment.semi_markov import (
    BlockCuttingPlane,
    BlockFrankWolfe,
    Problem,
    decode,
    marginals,
)

if TYPE_CHECKING:
    from pathlib import Path

    from bitext.segment.method import Gold

# The state of training after a pass, as a file from which training resumes.

_KIND = "bitext paragraph training"
_VERSION = 1


@dataclass(frozen=True)
class TrainingState:
    """The state of a solver after a pass."""

    solver: str
    passes: int
    sign: str  # a fingerprint of the texts, their features, the cost and the seed
    arrays: dict[str, Floats]  # the arrays of the solver by name


def save_state(path: str | Path, state: TrainingState) -> None:
    """Write the state of training to a file, atomically."""
    header = {"solver": state.solver, "passes": state.passes, "sign": state.sign}
    write_arrays(path, _KIND, _VERSION, header, state.arrays)


def load_state(path: str | Path) -> TrainingState:
    """Read the state of training from a file.

    Raises `FormatError` when the file is not a state of training, is truncated, or has another
    version.
    """
    header, arrays = read_arrays(path, _KIND, _VERSION)
    solver, passes, sign = (header.get(name) for name in ("solver", "passes", "sign"))
    if not (isinstance(solver, str) and isinstance(passes, int) and isinstance(sign, str)):
        raise FormatError(
            "the header lacks the solver, the passes or the sign: train anew", path=str(path)
        )
    return TrainingState(solver, passes, sign, arrays)


# C a text, of semi-Markov models and chains alike: the value that tuning chooses in most folds of
# the English and German books left out by scripts/bench/paragraphs_books.py.
COST = 0.01
SOLVERS = ("auto", "cutting-plane", "bcfw")
_FEWEST_TEXTS_FOR_BCFW = 20  # texts from which `auto` means block-coordinate Frank-Wolfe
_MOST_PASSES = 1 << 31  # passes of a state; more are damage
_PASSES = {"cutting-plane": 1000, "bcfw": 30}  # default maximum; set by hand


_Solver = BlockFrankWolfe | BlockCuttingPlane


@dataclass(frozen=True)
class PassReport:
    """The outcome of a pass over the texts."""

    number: int  # counted from 1, passes before a resumed run included
    dual: float  # the dual objective after the pass; it never decreases
    # The sum of the gaps of the texts, each measured when the pass reached the text: an estimate of
    # the duality gap, and equal to it if no text moved.
    gap: float
    moved: int  # the number of texts whose part of the weights changed
    # Returns the state of the solver after this pass, from which `train` can resume. Valid only
    # during the call of `on_pass`.
    state: Callable[[], TrainingState]

    @property
    def primal(self) -> float:
        """The dual objective plus the gap."""
        return self.dual + self.gap


@dataclass(frozen=True)
class Trained:
    """The outcome of training."""

    weights: Floats
    dual: float  # the dual objective: no weights have a primal objective below it
    primal: float  # the objective of `weights`
    gap: float  # the duality gap: `primal - dual`
    passes: int  # the number of passes, those before a resumed run included
    converged: bool  # whether the gap came within the tolerance
    solver: str
    notes: tuple[str, ...]  # notes on gold paragraphs longer than the model allows


def train(
    features: Sequence[TextFeatures],
    golds: Sequence[Segmentation | Sequence[int] | Ints],
    size: int,
    *,
    solver: str = "auto",
    cost: float = 1.0,
    passes: int | None = None,
    tolerance: float = 1e-3,
    seed: int = 0,
    on_pass: Callable[[PassReport], None] | None = None,
    state: TrainingState | None = None,
    names: Sequence[str] | None = None,
) -> Trained:
    """Train the weights that separate gold paragraphs from all others by the largest margin.

    The weights minimise 1/2 |w|^2 + C sum over texts of max over y of [loss(y) + score(y) -
    score(gold)]; the loss counts the inner boundaries that are in only one of y and gold.

    Parameters
    ----------
    features : sequence of TextFeatures
    golds : sequence of Segmentation, or of sequences of int
        For each text its paragraphs, or the indices of their first sentences, 0 included. A
        paragraph of more than `features.longest` sentences is cut into equal parts, with a note.
    size : int
        The number of weights.
    solver : {"auto", "cutting-plane", "bcfw"}
        `cutting-plane` is exact, and suits few texts; `bcfw` is fast with many, and its weights
        are an average over the passes unless it converges. `auto`: `bcfw` from 20 texts on.
    cost : float
        C: the larger, the closer the fit to the training texts.
    passes : int, optional
        The maximum number of passes, those of `state` included; by default 30 for `bcfw` and 1000
        for `cutting-plane`.
    tolerance : float
        Training ends when the duality gap is at most this share of the dual objective.
    seed : int
        The seed of the order of the texts (`bcfw`).
    on_pass : callable, optional
        Called with the report of each pass.
    state : TrainingState, optional
        The state to resume from, of the same texts, features, cost, solver and seed: the weights
        equal those of an uninterrupted run to the last bit.
    names : sequence of str, optional
        The names of the texts, for notes and errors.

    Raises
    ------
    InputError
        When texts and gold paragraphs do not match, or `state` belongs to another problem.
    OptionError
        When an option is out of range.

    Notes
    -----
    Source: Shi, Altun, Smola and Vishwanathan 2007, section 2, with the difference of features
    in place of the features that the paper prints; `bcfw`: Lacoste-Julien et al. 2013.

    """
    check_training(solver=solver, cost=cost, passes=passes, tolerance=tolerance, seed=seed)
    problem = Problem.of(features, golds, size, cost=cost, names=names)
    if solver == "auto":
        solver = "bcfw" if len(problem.blocks) >= _FEWEST_TEXTS_FOR_BCFW else "cutting-plane"
    work: _Solver
    work = BlockFrankWolfe(problem, seed) if solver == "bcfw" else BlockCuttingPlane(problem)
    sign = f"{problem.fingerprint()} {seed}" if state is not None or on_pass is not None else ""
    if state is not None:
        _take_up(work, state, sign)
    converged = False
    most = _PASSES[solver] if passes is None else passes
    while work.passes < most and not converged:
        gap, moved = work.run_pass(tolerance)
        dual = work.dual()
        if on_pass is not None:
            on_pass(PassReport(work.passes, dual, gap, moved, lambda: _state(work, sign)))
        # The gaps of a pass are measured at changing weights: if any text moved, the primal
        # objective at the final weights has to confirm convergence.
        allowed = tolerance * max(dual, 0.0)
        converged = not moved or bool(
            gap <= allowed and problem.primal(work.current()) - dual <= allowed
        )
    weights = work.current() if converged else work.weights()
    dual, primal = work.dual(), problem.primal(weights)
    return Trained(
        weights, dual, primal, primal - dual, work.passes, converged, solver, tuple(problem.notes)
    )


def check_training(
    *, solver: str, cost: float, passes: int | None, tolerance: float, seed: int
) -> None:
    """Refuse options of `train` that are out of range.

    Raises `OptionError` when an option is out of range.
    """
    check_one_of("solver", solver, SOLVERS)
    if not (isinstance(cost, Real) and 0.0 < cost < float("inf")):
        raise OptionError(f"the cost is {cost!r}: want a number above 0")
    is_whole = isinstance(passes, Integral) and not isinstance(passes, bool)
    if passes is not None and not (is_whole and passes >= 0):
        raise OptionError(f"there are {passes!r} passes: want a whole number, 0 or more")
    if not (isinstance(tolerance, Real) and tolerance >= 0.0):
        raise OptionError(f"the tolerance is {tolerance!r}: want 0 or above")
    if not (isinstance(seed, Integral) and seed >= 0):
        raise OptionError(f"the seed is {seed!r}: want a whole number, 0 or above")


def _state(work: _Solver, sign: str) -> TrainingState:
    return TrainingState(work.name, work.passes, sign, work.to_arrays())


def _take_up(work: _Solver, state: TrainingState, sign: str) -> None:
    if state.solver != work.name:
        raise InputError(
            f"the state to resume from is of solver {state.solver}, not {work.name}: "
            f"choose that solver, or begin anew"
        )
    if state.sign != sign:
        raise InputError(
            "the state to resume from is of other texts, features, costs or another seed: "
            "give those that it was made with, or begin anew"
        )
    try:
        if not 0 <= state.passes < _MOST_PASSES:
            raise ValueError(f"{state.passes} passes")  # noqa: TRY301 - reported with the others
        for name, array in state.arrays.items():
            if not np.isfinite(array).all():
                raise ValueError(f"{name} is not finite")  # noqa: TRY301
        work.take_up(state.passes, state.arrays)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"the state to resume from is damaged ({error!s:.60}): begin anew, with another file"
        ) from error


# Max-margin models of whole texts as methods beside the others: semi-Markov, and a plain chain.


class SemiMarkov(Method):
    """The max-margin semi-Markov model: nodes and edges, trained on the loss of whole texts.

    Parameters
    ----------
    solver : {"auto", "cutting-plane", "bcfw"}
        The solver, as for `train`.
    cost : float
        C, the weight of the loss of each text.
    passes : int, optional
        The maximum number of passes over the texts; by default that of `train`.
    tolerance : float
        The relative duality gap at which training ends.
    seed : int
        The seed of the order of the texts.

    Attributes
    ----------
    weights : array of float64
        The weights, one a feature.
    notes : tuple of str
        Notes of training on gold paragraphs longer than the model allows.
    outcome : dict
        The solver, the passes, the objectives and whether training has converged.

    Notes
    -----
    **Source**: Shi et al. (2007), sections 2 and 3.

    """

    name = "semi-markov"
    probable = True
    options = ("solver", "cost", "passes", "tolerance", "seed")
    tuned = ("cost", (0.01, 0.03, 0.1, 0.3, 1.0))

    def __init__(
        self,
        *,
        solver: str = "auto",
        cost: float = COST,
        passes: int | None = None,
        tolerance: float = 1e-3,
        seed: int = 0,
    ) -> None:
        check_training(solver=solver, cost=cost, passes=passes, tolerance=tolerance, seed=seed)
        if passes == 0:
            raise OptionError("there are 0 passes: want 1 or more")
        self.solver, self.cost, self.passes = solver, cost, passes
        self.tolerance, self.seed = tolerance, seed
        self.weights = np.zeros(0)
        self.outcome: dict[str, Any] = {}

    def fit(
        self,
        features: Sequence[TextFeatures],
        golds: Sequence[Gold],
        *,
        size: int = 0,
        names: Sequence[str] | None = None,
        on_pass: Callable[[PassReport], None] | None = None,
        state: TrainingState | None = None,
    ) -> Self:
        """Train; `size` is the least number of weights, other arguments are those of `train`.

        Raises the errors of `Method.fit`.
        """
        starts = checked_golds(features, golds)
        views, used = self._views(features)
        trained = train(
            views,
            starts,
            max(used, size),
            **self.chosen(),
            names=names,
            on_pass=on_pass,
            state=state,
        )
        self.weights, self.notes = trained.weights, trained.notes
        reported = ("solver", "passes", "converged", "dual", "primal", "gap")
        self.outcome = {name: getattr(trained, name) for name in reported}
        return self

    def _views(self, features: Sequence[TextFeatures]) -> tuple[list[TextFeatures], int]:
        """Return the views of the training texts for the model, and the number of weights."""
        return list(features), weight_count(features)

    def seen(self, features: TextFeatures) -> tuple[TextFeatures, Floats]:
        """Return the features that the model scores, and a weight for each of them."""
        missing_count = weight_count([features]) - len(self.weights)
        return features, np.append(self.weights, np.zeros(max(missing_count, 0)))

    def by_offset(self, features: TextFeatures) -> Callable[[float], Ints]:
        """Return a function from an offset to the paragraph starts of a text."""
        seen, weights = self.seen(features)
        nodes, edges = seen.node_scores(weights), seen.edge_scores(weights)
        return lambda offset: decode(nodes + offset, edges)[0]

    def confidence(self, features: TextFeatures) -> Floats:
        """Return the probability that each sentence starts a paragraph, shape (n,).

        The probabilities are those of the log-linear model with the trained weights, although
        training maximises the margin, not the likelihood.
        """
        seen, weights = self.seen(features)
        return marginals(seen.node_scores(weights) + self.offset, seen.edge_scores(weights))

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the options and the weights."""
        return self.chosen(), {"weights": self.weights}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild the method from the output of `to_parts`; raises as `Method.from_parts`."""
        out = cls.made(header)
        out.weights = part(arrays, "weights", "f", (None,))
        return out


class MaxMarginChain(SemiMarkov):
    """A max-margin chain of two labels, start and inside: the same nodes, no features of edges.

    The chain is a semi-Markov model whose edges count the transitions of the labels, and is trained
    and decoded by the same code, with the same limit on the length of paragraphs. The options are
    those of `SemiMarkov`.

    Notes
    -----
    **Source**: Taskar, Guestrin and Koller (2003), Max-margin Markov networks. **Departures**: Shi
    et al. (2007) do not compare with a max-margin chain; this one uses the features of their model.

    """

    name = "max-margin-chain"

    def _views(self, features: Sequence[TextFeatures]) -> tuple[list[TextFeatures], int]:
        """Return the views of the training texts for the model, and the number of weights."""
        nodes = weight_count(features, edges=False)
        return [chain_features(text, nodes) for text in features], nodes + 4

    def seen(self, features: TextFeatures) -> tuple[TextFeatures, Floats]:
        """Return the features that the model scores, and a weight for each of them."""
        # The transitions come last: weights of nodes absent from training go before them.
        nodes = max(weight_count([features], edges=False), len(self.weights) - 4)
        weights = np.zeros(nodes + 4)
        weights[: len(self.weights) - 4] = self.weights[:-4]
        weights[nodes:] = self.weights[-4:]
        return chain_features(features, nodes), weights

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild the method from the output of `to_parts`; raises as `Method.from_parts`."""
        out = super().from_parts(header, arrays)
        if len(out.weights) < 4:
            raise InputError("the chain of the model lacks its four transitions: train it anew")
        return out


def chain_features(features: TextFeatures, first: int) -> TextFeatures:
    """Return the nodes of a text with edges that count the transitions of a chain.

    A paragraph of L sentences has one start-inside if L > 1, and L - 2 inside-inside. Unless it is
    the last of the text, it also has the transition to the next paragraph: start-start if L = 1,
    otherwise inside-start.

    The edges of `features` are ignored. `first` is the column of start-start; start-inside,
    inside-inside and inside-start follow.
    """
    n, longest = features.n, features.longest
    lengths = longest - np.arange(longest)
    single = lengths == 1
    leaving = np.arange(n) < n - 1
    cells = (
        leaving[:, None] & single,
        np.broadcast_to(~single, (n, longest)),
        np.broadcast_to(np.maximum(lengths - 2, 0), (n, longest)),
        leaving[:, None] & ~single,
    )
    edges = [EdgeColumn(first + k, values=c.astype(np.float32)) for k, c in enumerate(cells)]
    return TextFeatures(features.nodes, edges, longest)
