"""The base of immutable values with arrays."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["Frozen", "put"]

put = object.__setattr__  # sets an attribute of a `Frozen` in its constructor


class Frozen:
    """An immutable slotted class, whose constructor sets the attributes with `put`."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} does not change: make a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} does not change: make a new one")

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        """Restore the attributes of a pickle or a copy."""
        for name, value in state[1].items():
            put(self, name, value)
