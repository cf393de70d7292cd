"""The state of training after a pass, as a file to go on from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from bitext.errors import FormatError
from bitext.segment.array_files import read_arrays, write_arrays

if TYPE_CHECKING:
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["TrainingState", "load_state", "save_state"]

_KIND = "bitext paragraph training"
_VERSION = 1


@dataclass(frozen=True)
class TrainingState:
    """Where a solver is after a pass.

    Attributes
    ----------
    solver : str
    passes : int
    sign : str
        Of the texts, their features, the cost and the seed.
    arrays : dict
        What the solver keeps.

    """

    solver: str
    passes: int
    sign: str
    arrays: dict[str, NDArray[np.float64]]


def save_state(path: str | Path, state: TrainingState) -> None:
    """Write the state of training to a file, which appears when it is whole."""
    header = {"solver": state.solver, "passes": state.passes, "sign": state.sign}
    write_arrays(path, _KIND, _VERSION, header, state.arrays)


def load_state(path: str | Path) -> TrainingState:
    """Read the state of training from a file.

    Raises
    ------
    FormatError
        When the file is none, is cut short, or is of another version.

    """
    header, arrays = read_arrays(path, _KIND, _VERSION)
    found: list[Any] = [header.get(name) for name in ("solver", "passes", "sign")]
    if not (isinstance(found[0], str) and isinstance(found[1], int) and isinstance(found[2], str)):
        raise FormatError(
            "the header lacks the solver, the passes or the sign: train anew", path=str(path)
        )
    return TrainingState(found[0], found[1], found[2], arrays)
