"""Values with a figure in notebooks, and the function that draws the figures.

A notebook gets the HTML of a value from a method of the value, so the method is here, below all
classes with figures. The drawing code is in `bitext.reports`, above them. So this module imports
nothing: the package sets the function that draws (`drawn_by`), and plain Python pays for no figure.

>>> class Bead(InNotebooks):
...     pass
>>> Bead()._repr_html_() is None  # the class has no figure
True
"""

from __future__ import annotations

from collections.abc import Callable

_drawers: list[Callable[[object], str | None]] = [lambda _: None]


def drawn_by(drawer: Callable[[object], str | None]) -> None:
    """Set the function that returns the HTML of values, or `None` for a value without a figure.

    A function set before is replaced.
    """
    _drawers[:] = [drawer]


class InNotebooks:
    """A value with a figure in notebooks."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """Return the value as HTML; `None` if its text is enough."""
        return _drawers[0](self)
