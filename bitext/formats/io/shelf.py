"""Values of this process put aside in a temporary file, so that memory does not grow with them."""

from __future__ import annotations

import pickle
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING, Generic, TypeVar

from bitext.paths import temporary_room

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Shelf"]

Value = TypeVar("Value")

_IN_MEMORY = 1 << 17  # weight of the values in memory, as their segments; set by hand


class Shelf(Generic[Value]):
    """Keeps values by their number: the first ones in memory, later ones in a temporary file.

    A context manager, which removes the file.

    Parameters
    ----------
    most : int
        The weight of the values in memory, from which on they are written to the file.

    Examples
    --------
    >>> with Shelf(most=1) as shelf:
    ...     numbers = [shelf.put(each, 1) for each in ("a", "b", "c")]
    ...     [shelf.get(number) for number in numbers]
    ['a', 'b', 'c']

    """

    def __init__(self, most: int = _IN_MEMORY) -> None:
        self._left = most
        self._values: dict[int, Value] = {}
        self._places: dict[int, int] = {}
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Shelf[Value]:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._values.clear()
        if self._file is not None:
            self._file.close()

    def __len__(self) -> int:
        return len(self._values) + len(self._places)

    def put(self, value: Value, weight: int) -> int:
        """Keep a value; return its number.

        Raises
        ------
        InputError
            When there is no space for temporary files.

        """
        number = len(self)
        if self._left > 0 and not self._places:
            self._left -= weight
            self._values[number] = value
            return number
        with temporary_room():
            if self._file is None:
                self._file = TemporaryFile()  # noqa: SIM115 - closed by __exit__
            self._file.seek(0, 2)
            self._places[number] = self._file.tell()
            pickle.dump(value, self._file, pickle.HIGHEST_PROTOCOL)
        return number

    def get(self, number: int) -> Value:
        """Return the value of a number."""
        if number in self._values:
            return self._values[number]
        if self._file is None:
            raise KeyError(number)
        with temporary_room():  # what is still in the buffer is written first
            self._file.seek(self._places[number])
        value: Value = pickle.load(self._file)  # noqa: S301 - from this process
        return value
