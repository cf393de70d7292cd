"""A plug-in of mypy: look for no garbage, which takes a sixth off the time for 850 MB."""

from __future__ import annotations

import gc
from typing import Any

from mypy.plugin import Plugin


def plugin(_version: str) -> Any:
    """Return a plug-in that changes nothing of what is checked."""
    gc.set_threshold(0)  # mypy enables the search anew
    return Plugin
