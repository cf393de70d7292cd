"""Training of max-margin semi-Markov models, by either solver, pass by pass."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral, Real
from typing import TYPE_CHECKING, Protocol

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.segment.bcfw import BlockFrankWolfe
from bitext.segment.blocks import Problem
from bitext.segment.checkpoints import TrainingState
from bitext.segment.cutting_plane import BlockCuttingPlane

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.model import Segmentation
    from bitext.segment.text_features import TextFeatures

__all__ = ["SOLVERS", "PassReport", "Trained", "check_training", "train"]

SOLVERS = ("auto", "cutting-plane", "bcfw")
_MANY = 20  # texts from which on block-coordinate Frank-Wolfe is taken
_MOST_PASSES = 1 << 31
_PASSES = {"cutting-plane": 1000, "bcfw": 30}


class _Solver(Protocol):
    name: str
    passes: int

    def run_pass(self, tolerance: float) -> tuple[float, int]: ...
    def dual(self) -> float: ...
    def current(self) -> NDArray[np.float64]: ...
    def weights(self) -> NDArray[np.float64]: ...
    def to_arrays(self) -> dict[str, NDArray[np.float64]]: ...
    def take_up(self, passes: int, arrays: Mapping[str, NDArray[np.float64]]) -> None: ...


@dataclass(frozen=True)
class PassReport:
    """What a pass over the texts came to.

    Attributes
    ----------
    number : int
        From 1; goes on where a resumed run begins.
    dual : float
        The dual objective after the pass; it never falls.
    gap : float
        The sum of the gaps of the texts, each when the pass came to it: about the duality gap,
        and exactly that when no text moved.
    moved : int
        The texts whose part of the weights changed.
    state : callable
        Returns the state of the solver after this pass, as `train` takes it to go on. To be
        called while the pass is reported, if at all.

    """

    number: int
    dual: float
    gap: float
    moved: int
    state: Callable[[], TrainingState]

    @property
    def primal(self) -> float:
        """The dual and the gap."""
        return self.dual + self.gap


@dataclass(frozen=True)
class Trained:
    """The outcome of training.

    Attributes
    ----------
    weights : array of float64
    dual : float
        The dual objective: no weights have a primal objective below it.
    primal : float
        The objective of `weights`.
    gap : float
        The duality gap: `primal - dual`.
    passes : int
        How many there were, those before a resumed run with them.
    converged : bool
        Whether the gap of the solver came within the tolerance.
    solver : str
    notes : tuple of str
        What was odd about the gold paragraphs.

    """

    weights: NDArray[np.float64]
    dual: float
    primal: float
    gap: float
    passes: int
    converged: bool
    solver: str
    notes: tuple[str, ...]


def train(
    features: Sequence[TextFeatures],
    golds: Sequence[Segmentation | Sequence[int] | NDArray[np.int64]],
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
    """Return the weights that separate gold paragraphs from all others by the largest margin.

    They minimise 1/2 |w|^2 + C sum over texts of max over y of [loss(y) + score(y) -
    score(gold)]; the loss counts the inner boundaries that only one of the two has.

    Parameters
    ----------
    features : sequence of TextFeatures
    golds : sequence of Segmentation, or of the first sentences of paragraphs, with 0
        Of each text. A paragraph longer than M is cut into equal parts, with a note.
    size : int
        The number of weights.
    solver : {"auto", "cutting-plane", "bcfw"}
        `cutting-plane` is exact, and good for few texts; `bcfw` is quick for many, and its
        weights are an average over the passes unless it converges. `auto`: `bcfw` from 20 texts.
    cost : float
        C: the greater, the closer to the training texts.
    passes : int, optional
        The most passes, those of `state` with them; by default 30 for `bcfw`, where more are
        rarely better on new texts, and 1000 for `cutting-plane`.
    tolerance : float
        Training ends when the duality gap is at most this part of the dual objective.
    seed : int
        Of the order of the texts (`bcfw`).
    on_pass : callable, optional
        Is told each pass.
    state : TrainingState, optional
        Go on from here, with the same texts, features, cost, solver and seed: the weights are
        those of a run that did not stop, to the last bit.
    names : sequence of str, optional
        Of the texts, for notes and errors.

    Raises
    ------
    InputError
        When texts and gold paragraphs do not go together, or `state` is of another problem.
    OptionError
        When an option is not allowed.

    Notes
    -----
    Source: Shi, Altun, Smola and Vishwanathan 2007, section 2, with the difference of features
    where the print has the features; `bcfw`: Lacoste-Julien et al. 2013.

    """
    check_training(solver=solver, cost=cost, passes=passes, tolerance=tolerance, seed=seed)
    problem = Problem.of(features, golds, size, cost=cost, names=names)
    if solver == "auto":
        solver = "bcfw" if len(problem.blocks) >= _MANY else "cutting-plane"
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
        # Within a pass the weights move: only when nothing did, or at fixed weights, is it sure.
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
    """Hold the options of `train` against what they may be.

    Raises
    ------
    OptionError
        When one is not allowed.

    """
    if solver not in SOLVERS:
        raise OptionError(f"solver {solver!r} is none of these: {', '.join(SOLVERS)}")
    if not (isinstance(cost, Real) and 0.0 < cost < float("inf")):
        raise OptionError(f"the cost is {cost!r}: want a number above 0")
    if passes is not None and not (isinstance(passes, Integral) and passes >= 0):
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
            raise ValueError(f"{state.passes} passes")  # noqa: TRY301 - told with the others
        for name, array in state.arrays.items():
            if not np.isfinite(array).all():
                raise ValueError(f"{name} is not finite")  # noqa: TRY301
        work.take_up(state.passes, state.arrays)
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError(
            f"the state to resume from is damaged ({error!s:.60}): begin anew, with another file"
        ) from error
