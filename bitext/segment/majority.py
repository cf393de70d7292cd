"""The baseline that learns only which answer is more frequent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bitext.errors import InputError
from bitext.segment.decisions import decisions
from bitext.segment.method import Method, starts_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.method import Gold, Sentences
    from bitext.segment.text_features import TextFeatures

__all__ = ["Majority"]


class Majority(Method):
    """Break nowhere or everywhere, as is more frequent in training; nowhere where it is even.

    Examples
    --------
    >>> from bitext.segment.text_features import NodeRows, TextFeatures
    >>> bare = NodeRows(np.zeros(5, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
    >>> four = TextFeatures(bare, [], 30)
    >>> Majority().fit([four], [np.array([0, 2])]).boundaries(four).tolist()
    [0]
    >>> Majority().fit([four], [np.array([0, 1, 3])]).boundaries(four).tolist()
    [0, 1, 2, 3]

    """

    name = "majority"

    def __init__(self) -> None:
        self.breaks = False

    def fit(
        self,
        features: Sequence[TextFeatures],
        golds: Sequence[Gold],
        *,
        texts: Sequence[Sentences] | None = None,
    ) -> Self:
        """Count the answers; raises as `Method.fit`."""
        del texts
        self.breaks = decisions(features, golds).majority
        return self

    def boundaries(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.int64]:
        """Return the starts of the paragraphs: 0, or all."""
        del text
        return starts_of(np.full(features.n, self.breaks))

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the answer; there are no arrays."""
        return {"breaks": self.breaks}, {}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make the method again of what `to_parts` gave; raises as `Method.from_parts`."""
        del arrays
        if not isinstance(header.get("breaks"), bool):
            raise InputError("the model does not tell whether it breaks: train it anew")
        out = cls()
        out.breaks = header["breaks"]
        return out
