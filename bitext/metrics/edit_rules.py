"""What edits of boundaries there are, and what they cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from bitext.errors import OptionError
from bitext.metrics.checks import whole

__all__ = ["Rules", "Script", "Weight"]

Script = Literal["minimal", "greedy"]
Weight = Literal["scaled", "unit"]
_MOST = 10**9  # so that costs of whole corpora fit into 64 bits


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What edits there are and what they cost; checked.

    Attributes
    ----------
    max_transposition : int
        The greatest shift of a boundary, in places; 0 for none.
    script : {"minimal", "greedy"}
        How edits are chosen.
    weight : {"scaled", "unit"}
        Whether a transposition by d places costs d / (max_transposition + 1) or 1.
    ordered : bool
        Whether types are numbers, and near ones replace each other for less.

    """

    max_transposition: int = 1
    script: Script = "minimal"
    weight: Weight = "scaled"
    ordered: bool = False

    def __post_init__(self) -> None:
        reach = whole("max_transposition", self.max_transposition, "places", most=_MOST)
        object.__setattr__(self, "max_transposition", reach)
        for name, value, allowed in (
            ("script", self.script, get_args(Script)),
            ("weight", self.weight, get_args(Weight)),
        ):
            if value not in allowed:
                raise OptionError(f"{name} is {value!r}: want one of {', '.join(allowed)}")

    @property
    def scale(self) -> int:
        """What the cost of an addition is in whole numbers."""
        return self.max_transposition + 1 if self.weight == "scaled" else 1

    def moved(self, distance: int) -> int:
        """Return what a transposition costs in these."""
        return distance if self.weight == "scaled" else 1
