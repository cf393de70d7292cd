"""The columns of attributes that readers collect, row by row or many rows at once.

Every bisegment has a cell in every column. So that a file of nothing but names of their own does
not fill the memory, there is a bound to the cells that are empty: far above what any corpus has,
and for a large file in proportion to its values.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from bitext.formats.io.source import Source

__all__ = ["MOST_COLUMNS", "AttributeColumns"]

MOST_COLUMNS = 10_000
_FREE = 4_000_000  # cells that may be empty in any table: 32 MB
_FREE_A_VALUE = 64  # and in a larger one for each value, which takes 10 bytes of the file or more


class AttributeColumns:
    """AttributeColumns by their names, each as long as the last row that has a value in it.

    Parameters
    ----------
    source : Source
        The file, for errors.

    """

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lists: dict[str, list[str | None]] = {}
        self._values = self._empty = 0

    def __len__(self) -> int:
        return len(self._lists)

    def __contains__(self, name: str) -> bool:
        return name in self._lists

    def names(self) -> list[str]:
        """Return the names, in the order in which they came."""
        return list(self._lists)

    def refuse_names(self, names: Iterable[str], rows: int, line: int | None = None) -> None:
        """Refuse names that are too many with those there are; `rows` are those so far.

        Raises
        ------
        FormatError
            When they are.

        """
        new = sum(name not in self._lists for name in names)
        if new and len(self._lists) + new > MOST_COLUMNS:
            raise self._error(MOST_COLUMNS, rows, line)

    def refuse_sparse(self, columns: int, rows: int, values: int, line: int | None = None) -> None:
        """Refuse a table of which so many cells are empty, before it is made.

        Raises
        ------
        FormatError
            When hardly any cell has a value.

        """
        if columns > MOST_COLUMNS or self._is_sparse(columns * rows - values, values):
            raise self._error(min(columns - 1, MOST_COLUMNS), rows, line)

    def _is_sparse(self, empty: int, values: int) -> bool:
        return empty > _FREE and empty > _FREE_A_VALUE * values

    def _error(self, columns: int, rows: int, line: int | None) -> Exception:
        return self._source.error(
            f"has more than {columns:,} different attributes and properties within {rows:,} "
            f"bisegments; check the file",
            line,
        )

    def put(self, row: int, values: Mapping[str, str], line: int | None = None) -> None:
        """Put the values of a row, the last one so far or one behind it.

        Raises
        ------
        FormatError
            When there are too many columns, or hardly any cell has a value.

        """
        self.refuse_names(values, row + 1, line)
        self._values += len(values)
        for name, value in values.items():
            column = self._lists.setdefault(name, [])
            if len(column) < row:
                self._fill(column, row, line)
            if len(column) > row:
                column[row] = value
            else:
                column.append(value)

    def extend(
        self, row: int, columns: Mapping[str, Sequence[str | None]], line: int | None = None
    ) -> None:
        """Put the values of many rows, of which the first is `row`; raises as `put`."""
        self.refuse_names(columns, row + 1, line)
        for name, values in columns.items():
            column = self._lists.setdefault(name, [])
            if len(column) < row:
                self._fill(column, row, line)
            column.extend(values)
            empty = values.count(None)
            self._values += len(values) - empty
            self._empty += empty
        if self._is_sparse(self._empty, self._values):
            raise self._error(len(self) - 1, row + 1, line)

    def _fill(self, column: list[str | None], row: int, line: int | None) -> None:
        gap = row - len(column)
        self._empty += gap
        if self._is_sparse(self._empty, self._values):
            raise self._error(len(self) - 1, row + 1, line)
        column.extend([None] * gap)

    def column(self, name: str, rows: int) -> list[str | None]:
        """Return the values of a column, one a row."""
        known = self._lists.get(name, [])[:rows]  # a row that was refused may have begun
        return known + [None] * (rows - len(known))

    def whole(self, rows: int, line: int | None = None) -> dict[str, list[str | None]]:
        """Return all columns, one value a row; raises as `put`."""
        self.refuse_sparse(len(self), rows, self._values, line)
        return {name: self.column(name, rows) for name in self._lists}

    def rows(self, count: int) -> Iterator[dict[str, str]]:
        """Yield the values that each row has, by the names of the columns."""
        columns = list(self._lists.items())
        for k in range(count):
            yield {
                name: value
                for name, column in columns
                if k < len(column) and (value := column[k]) is not None
            }

    def cut(self, row: int) -> AttributeColumns:
        """Take the first rows out, and return them."""
        out = AttributeColumns(self._source)
        out._lists = {name: column[:row] for name, column in self._lists.items()}
        self._lists = {name: column[row:] for name, column in self._lists.items()}
        out._values = sum(len(column) - column.count(None) for column in out._lists.values())
        self._values -= out._values
        self._empty = sum(column.count(None) for column in self._lists.values())
        return out
