"""What a notebook shows of our values."""

from __future__ import annotations

from importlib import import_module

__all__ = ["InNotebooks"]


class InNotebooks:
    """A value that `bitext.reports.notebook` can draw.

    Notebooks ask a value for its HTML by this method, so it has to be here, below the reports. It
    is the one way up in the house: the module is imported by its name, and only when a notebook
    asks, so that nothing here depends on it and plain Python pays nothing.
    """

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        """Return the value as HTML; `None` where its text says as much."""
        found: str | None = import_module("bitext.reports.notebook").html(self)
        return found
