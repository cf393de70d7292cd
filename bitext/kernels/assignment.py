"""Assign rows to columns for the largest gain, where few pairs are allowed.

Every row takes one of the columns that it may, or none; a column goes to one row at the most. Gains
are integers of any size, so lower digits can break ties. Rows are added one at a time, each by
the best chain of exchanges (Bellman and Ford's search): O(rows * rows * pairs), for small problems.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["assign"]


def assign(gains: Sequence[Mapping[int, int]]) -> dict[int, int]:
    """Return the column of each row that takes one.

    Parameters
    ----------
    gains : sequence of mappings
        Of each row, what each column that it may take brings. To take none brings 0.

    Returns
    -------
    dict of int to int
        Column by row; the sum of the gains is the largest that there is.

    Examples
    --------
    >>> assign([{0: 5, 1: 4}, {0: 5}])
    {0: 1, 1: 0}

    """
    column_of: dict[int, int] = {}
    row_of: dict[int, int] = {}
    for start in range(len(gains)):
        # A chain ends at a row that gives its column up, or at a free column, called -1 - column.
        gained, taken_by = {start: 0}, dict[int, tuple[int, int]]()
        waiting = deque([start])
        while waiting:
            row = waiting.popleft()
            for column, gain in gains[row].items():
                if column_of.get(row) == column:
                    continue
                holder = row_of.get(column)
                end = -1 - column if holder is None else holder
                total = gained[row] + gain - (0 if holder is None else gains[holder][column])
                if end not in gained or total > gained[end]:
                    gained[end], taken_by[end] = total, (row, column)
                    if holder is not None:
                        waiting.append(holder)
        end = max(gained, key=gained.__getitem__)
        if end != start:
            column_of.pop(end, None)
        while end != start:
            end, column = taken_by[end]
            column_of[end], row_of[column] = column, end
    return column_of
