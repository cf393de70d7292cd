"""Values that a notebook shows, and who draws them.

Notebooks ask a value for its HTML by a method of its own, so the method has to be here, below
everything that has figures. What draws stands high above. So this module knows nobody: the package
says at its start who draws (`drawn_by`), and plain Python pays for no figure.

>>> class Bead(InNotebooks):
...     pass
>>> Bead()._repr_html_() is None  # there is no figure of it
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["InNotebooks", "drawn_by"]

_drawers: list[Callable[[object], str | None]] = []


def drawn_by(drawer: Callable[[object], str | None]) -> None:
    """Let `drawer` make the HTML of values from now on; it returns `None` where it has no figure.

    The drawer that came before it is not asked any more.
    """
    _drawers[:] = [drawer]


class InNotebooks:
    """A value whose figure a notebook shows."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """Return the value as HTML; `None` where its text says as much."""
        return _drawers[0](self) if _drawers else None
