"""The evidence for beads: lengths, words, punctuation and vectors, each a score of every bead."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from bitext.kernels.bead_path import Band

__all__ = ["Evidence"]


class Evidence(Protocol):
    """A kind of evidence: it scores beads."""

    def block(self, first: int, last: int, band: Band) -> NDArray[np.float32]:
        """Score each bead that ends at each point of the rows `first` <= i < `last` of a band.

        Returns
        -------
        array of float32, shape (beads, last - first, width)
            Natural logarithms; those of beads that begin before the table mean nothing.

        """
