"""All targets by their names."""

from __future__ import annotations

from functools import cache

from fuzz import arguments, comparable, formats, readers, two_ways

ROOMS = (formats, two_ways, readers, comparable, arguments)


@cache
def all_targets():
    """Return all targets by their names, those of one kind together."""
    return {target.name: target for room in ROOMS for target in room.targets()}
