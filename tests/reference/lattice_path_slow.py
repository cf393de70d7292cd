"""The best path through one table, cell by cell, as the recurrence is printed."""


def best_path(rows, columns, gain, *, gap=-1, free=True):
    """Return D[rows][columns] and the diagonal steps; ties go diagonal, up, left."""
    d = [[0] * (columns + 1) for _ in range(rows + 1)]
    for i in range(1, rows + 1):
        d[i][0] = 0 if free else gap * i
    for j in range(1, columns + 1):
        d[0][j] = 0 if free else gap * j
    for i in range(1, rows + 1):
        for j in range(1, columns + 1):
            d[i][j] = max(
                d[i - 1][j - 1] + gain[i - 1][j - 1], d[i - 1][j] + gap, d[i][j - 1] + gap
            )
    steps = []
    i, j = rows, columns
    while i and j:
        if d[i][j] == d[i - 1][j - 1] + gain[i - 1][j - 1]:
            i, j = i - 1, j - 1
            steps.append((i, j))
        elif d[i][j] == d[i - 1][j] + gap:
            i -= 1
        else:
            j -= 1
    return d[rows][columns], steps[::-1]
