"""Values that hold arrays and do not change."""

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["Frozen", "put"]

put = object.__setattr__  # for constructors


class Frozen:
    """A slotted class whose attributes are set once, by its constructor with `put`."""

    __slots__ = ()

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} does not change: make a new one")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} does not change: make a new one")

    def __setstate__(self, state: tuple[None, dict[str, Any]]) -> None:
        """Take up what was pickled or copied."""
        for name, value in state[1].items():
            put(self, name, value)
