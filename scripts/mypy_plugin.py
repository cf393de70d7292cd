"""A plug-in of mypy: look for garbage less often, which takes a tenth off the time for 80 MB."""

from __future__ import annotations

import gc
from typing import Any

from mypy.plugin import Plugin


def plugin(_version: str) -> Any:
    """Return a plug-in that changes nothing of what is checked."""
    gc.set_threshold(1_000_000, 30, 30)  # mypy's own: 200,000, 30, 30
    return Plugin
