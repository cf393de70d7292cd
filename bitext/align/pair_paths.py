"""What aligning a text pair is made of: evidence of its beads, and the path that is found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from bitext.kernels.bead_path import BeadPath

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from bitext.align.search_spaces import SearchSpace
    from bitext.kernels.bead_path import Band

__all__ = ["NOTHING", "Evidence", "PairPath", "Start"]

_NONE = np.zeros(0, dtype=np.int64)
NOTHING = BeadPath(0, _NONE, _NONE, _NONE, 0.5)
"""The path of a text pair that was not looked at."""


class Evidence(Protocol):
    """Something that says how good beads are."""

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Return the score of each bead that ends at each point of some rows of a band."""


class PairPath(NamedTuple):
    """What is found of a text pair in a round.

    Attributes
    ----------
    path : BeadPath
    sure : array of float64, shape (beads of the path,), or None
        How sure each bead is, 0 to 1; None but in the last round.
    space : SearchSpace
        Where the path was looked for.

    """

    path: BeadPath
    sure: NDArray[np.float64] | None
    space: SearchSpace


class Start(NamedTuple):
    """What is found from some frequencies of beads, before anything is known of the texts.

    Attributes
    ----------
    chance : array of float64, shape (beads,)
    found : mapping of int to PairPath
        The first paths, by the number of the text pair.
    score : int
        Of these paths, with what they teach.

    """

    chance: NDArray[np.float64]
    found: Mapping[int, PairPath]
    score: int
