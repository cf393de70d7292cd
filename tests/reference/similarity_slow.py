"""Links by similarities of words, in plain Python."""

from __future__ import annotations

from math import exp, isnan, nan, sqrt

__all__ = ["cosines", "entmax", "itermax", "mutual_argmax", "nearness", "softmax"]

Matrix = list[list[float]]
Cells = set[tuple[int, int]]


def _first_best(values: list[float]) -> int:
    return max(range(len(values)), key=lambda k: (values[k], -k))


def _column(matrix: Matrix, j: int) -> list[float]:
    return [row[j] for row in matrix]


def _mutual(matrix: Matrix) -> Cells:
    cells = set()
    for i, row in enumerate(matrix):
        j = _first_best(row)
        if _first_best(_column(matrix, j)) == i:
            cells.add((i, j))
    return cells


def mutual_argmax(matrix: Matrix) -> Cells:
    """Link words that are each the most similar to the other."""
    known = [[-9.0 if isnan(value) else value for value in row] for row in matrix]
    return {(i, j) for i, j in _mutual(known) if not isnan(matrix[i][j])}


def itermax(matrix: Matrix) -> Cells:
    """Link in two rounds, as the program of Jalili Sabet and others does."""
    scaled = [[-1.0 if isnan(value) else (1 + value) / 2 for value in row] for row in matrix]
    cells = {(i, j) for i, j in _mutual(scaled) if not isnan(matrix[i][j])}
    rows, columns = len(matrix), len(matrix[0])
    linked = {i for i, _ in cells}, {j for _, j in cells}
    if min(rows, columns) <= 2 or len(linked[0]) == rows or len(linked[1]) == columns:
        return cells

    def weighted(i: int, j: int) -> float:
        if isnan(matrix[i][j]):
            return -1.0
        factor = {0: 1.0, 1: 0.9, 2: 0.0}[(i in linked[0]) + (j in linked[1])]
        return scaled[i][j] * factor

    again = _mutual([[weighted(i, j) for j in range(columns)] for i in range(rows)])
    return cells | {
        (i, j)
        for i, j in again
        if not isnan(matrix[i][j]) and not (i in linked[0] and j in linked[1])
    }


def softmax(values: list[float]) -> list[float]:
    """Return the softmax of numbers."""
    most = max(values)
    powers = [exp(value - most) for value in values]
    total = sum(powers)
    return [power / total for power in powers]


def entmax(values: list[float]) -> list[float]:
    """Return the 1.5-entmax of numbers, by bisection of its threshold."""
    halves = [value / 2 for value in values]
    low, high = max(halves) - 1, max(halves)
    while low < (middle := (low + high) / 2) < high:  # to the last bit
        if sum(max(value - middle, 0) ** 2 for value in halves) < 1:
            high = middle
        else:
            low = middle
    return [max(value - low, 0) ** 2 for value in halves]


def nearness(matrix: Matrix) -> Matrix:
    """Return each similarity less half of that of the best other word of its row or column."""
    zeros = [[0.0 if isnan(value) else value for value in row] for row in matrix]

    def rival(i: int, j: int) -> float:
        row = [value for k, value in enumerate(zeros[i]) if k != j] or [0.0]
        column = [value for k, value in enumerate(_column(zeros, j)) if k != i] or [0.0]
        return max(row + column)

    return [
        [nan if isnan(value) else value - rival(i, j) / 2 for j, value in enumerate(row)]
        for i, row in enumerate(matrix)
    ]


def cosines(src: Matrix, tgt: Matrix, means: tuple[list[float], list[float]]) -> Matrix:
    """Return the cosines of vectors of length 1 less the mean of their side."""

    def apart(vector: list[float], mean: list[float]) -> list[float]:
        long = sqrt(sum(x * x for x in vector))
        moved = [x / long - m for x, m in zip(vector, mean, strict=True)]
        size = max(sqrt(sum(x * x for x in moved)), 1e-6)
        return [x / size for x in moved]

    left = [apart(vector, means[0]) for vector in src]
    right = [apart(vector, means[1]) for vector in tgt]
    return [[sum(x * y for x, y in zip(a, b, strict=True)) for b in right] for a in left]
