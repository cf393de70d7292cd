"""The packages of others that some methods learn with; none is needed to apply a trained model."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from bitext.errors import MissingExtraError

__all__ = ["need"]

EXTRA = "paragraphs"


def need(module: str, what: str) -> Any:
    """Import a module of a package that may be missing.

    Raises
    ------
    MissingExtraError
        When it is; the message has the command that brings it.

    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(what, extra=EXTRA) from error
