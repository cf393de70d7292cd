"""Kernels that numba compiles, if it is installed: the extra `fast`.

The loops of `bead_path`, of `bead_posteriors` and of the evidence of words, written for single
numbers. They compute the same values as the numpy versions, in the same order if it matters, so
that all results are the same to the last bit. Both use the logarithms and exponentials of numpy,
since those of compilers differ from them.

On texts of 100,000 sentences they save a quarter to two fifths of the CPU seconds
(scripts/bench/align_profile.md). numba compiles them once on a machine, which takes some seconds:
so a process has it do that when it has spent about half a second without them (`kernel_groups`).
With the environment variable `BITEXT_COMPILED=0` none are used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bitext.kernels.arrays import Ints
from bitext.kernels.kernel_groups import KernelGroup
from bitext.kernels.object_code import Type, read, written

# Cells of tables: a process has kernels compiled when it has scored or searched so many without
# them. Set by hand.
_LEAST_WORK = 12_000_000

# The numbers in the tables of `bead_path`.
NEVER = -(1 << 58)  # so low that no sum of scores comes near it, nor leaves 64 bits
_BELOW_ALL = -(1 << 62)
_SCORE = -256  # the bits of a cell that are its score; the last byte has a code
# The step to a point in a passage: along the row, from itself, from above outside of a passage, or
# from above in one. Among equal scores the greatest wins, since it is in the last byte.
ALONG, OPENED, OPENED_ABOVE, STAYED = range(4)


class Kernels(NamedTuple):
    """The functions below, compiled or not."""

    path_rows: Callable[..., Any]
    long_path_rows: Callable[..., Any]  # the same with scores of 64 bits
    path_back: Callable[..., Any]
    passage_rows: Callable[..., Any]
    wide_passage_rows: Callable[..., Any]  # the same with 16 bits for the answers of a cell
    piece_weights: Callable[..., Any]
    long_piece_weights: Callable[..., Any]  # the same with scores of 64 bits
    piece_sums: Callable[..., Any]
    known_words: Callable[..., Any]
    word_values: Callable[..., Any]
    word_scores: Callable[..., Any]


def _signatures() -> dict[str, tuple[Callable[..., Any], list[Type]]]:
    table, beads = read("i8", 3), (read("i8"), read("i8"), read("i8"))
    words = read("i8"), read("i4"), read("u2"), read("f8"), read("b1")
    links, sums = (read("i8"), read("i4"), read("f8")), (read("f8"), read("f8"))
    word_arrays = written("f4"), written("i4", 2), written("i4")
    room = written("i4"), written("f4"), written("f8")

    def passages(kind: str) -> tuple[Callable[..., Any], list[Type]]:
        costs, cells = read("i8"), (written("i8", 2), written("i8", 2), written(kind, 2))
        return passage_rows, [table, read("i8"), "i8", *beads, "i8", "i8", "i8", costs, *cells]

    weights: list[Type] = [read("i8"), "f8", read("f8", 2), written("f8", 3)]
    rows: list[Type] = [read("i8"), "i8", *beads, "i8", "i8", written("i8", 2), written("u1", 2)]
    return {
        "path_rows": (path_rows, [read("i4", 3), *rows]),
        "long_path_rows": (path_rows, [table, *rows]),
        "path_back": (
            path_back,
            [read("u1"), *[read("i8")] * 3, "i8", "i8", *[written("i8")] * 4],
        ),
        "passage_rows": passages("u1"),
        "wide_passage_rows": passages("u2"),
        "piece_weights": (piece_weights, [read("i4", 3), *weights]),
        "long_piece_weights": (piece_weights, [table, *weights]),
        "piece_sums": (
            piece_sums,
            [
                *(read("f8", 3), read("i8", 2), read("b1", 2), *[read("i8")] * 7, read("b1", 2)),
                *(read("f8"), read("f8", 3), read("f8", 3), written("f8", 3), written("f8", 3)),
            ],
        ),
        "known_words": (
            known_words,
            [
                *(read("i8"), read("i4"), read("u2"), read("i4"), read("f8"), read("f8")),
                *(written("f8"), written("f8")),
            ],
        ),
        "word_values": (
            word_values,
            [
                *(read("i8", 2), words, words, links, links, sums, sums, read("i8"), read("i8")),
                *("i8", "i8", "i8", (written("i4"), written("i4")), room, *word_arrays),
            ],
        ),
        "word_scores": (
            word_scores,
            [
                *(read("i8", 2), words, words, sums, "i8", "i8", room, *word_arrays),
                *(read("i8"), read("i8"), "i8", *beads, "f4", written("f4", 3)),
            ],
        ),
    }


_group = KernelGroup(Kernels, _signatures, _LEAST_WORK)
compiled_kernels, using = _group.after, _group.using
load_kernels, plain_kernels = _group.load, _group.plain


# The best path (`bead_path`).


def path_rows(
    bead_scores: Any,
    lo: Any,
    first: int,
    a: Any,
    b: Any,
    taking: Any,
    alone: int,
    columns: int,
    path_scores: Any,
    came: Any,
) -> None:
    """Search a block of rows, as `best_path` does.

    `bead_scores` has the shape (beads, rows, columns of the scores), and `first` is the first row
    of the block; `lo` has the first column of each row of the table, and `columns` is the length of
    the second sequence. `a`, `b` and `taking` are the members of the beads that take one of the
    first sequence, and their indices; `alone` is the index of (0, 1). `path_scores`, shape (rows
    above + rows, width), has the cells of the rows above; those of the block are written after
    them. `came`, shape (rows, width), gets the bead of each cell.
    """
    rows, wide = bead_scores.shape[1], bead_scores.shape[2]
    width, deep = path_scores.shape[1], path_scores.shape[0] - rows
    for r in range(rows):
        low, best = lo[first + r], path_scores[deep + r]
        begin, end = max(0, -low), min(wide, columns + 1 - low)  # the cells in the table
        for j in range(wide):
            best[j] = _BELOW_ALL
        for k in range(len(taking)):
            up = first + r - a[k]
            shift = low - lo[max(up, 0)] - b[k]
            code, above, kind = 255 - taking[k], deep + r - a[k], taking[k]
            # Where no cell needs a condition, the loop is vectorised.
            open_ = min(max(begin, -shift, 0), wide)
            close = max(min(end, wide, width - shift), open_)
            for j in range(wide - close + open_):
                cell_of_row = j if j < open_ else j + close - open_
                cell_above = cell_of_row + shift
                cell = path_scores[above, cell_above] if 0 <= cell_above < width else NEVER
                if begin <= cell_of_row < end:
                    cell += np.int64(bead_scores[kind, r, cell_of_row]) << 8
                best[cell_of_row] = max(best[cell_of_row], cell + code)
            own, into = bead_scores[kind, r, open_:close], best[open_:close]
            cells = path_scores[above, max(open_ + shift, 0) :]
            for j in range(len(own)):
                into[j] = max(into[j], cells[j] + (np.int64(own[j]) << 8) + code)
        if first + r == 0 and -low < wide:
            best[-low] = 0
        total, along = np.int64(0), _BELOW_ALL
        for j in range(wide):
            if j and begin <= j < end and j - 1 >= begin:
                total += np.int64(bead_scores[alone, r, j]) << 8
            apart = best[j] - total
            along = max(along, apart)
            best[j] = (along + total) & _SCORE
            came[r, j] = alone if along >> 8 > apart >> 8 else 255 - (apart & 255)
        for j in range(wide, width):
            path_scores[deep + r, j] = NEVER


def path_back(
    came: Any,
    starts: Any,
    a: Any,
    b: Any,
    columns: int,
    width: int,
    kinds: Any,
    row: Any,
    column: Any,
    near: Any,
) -> int:
    """Follow the beads back from the end of a table; return the index of the first one.

    `came` is flat; `starts` has the index in it of each column 0. The last bead is written to the
    end of `kinds`, `row` and `column`, and the one before it to the place before. `near` gets the
    least distance from an edge of the band, as `BeadPath.near`.
    """
    i, j, at = len(starts) - 1, columns, len(kinds)
    least = width
    while i or j:
        at -= 1
        kind = came[starts[i] + j]
        kinds[at], row[at], column[at] = kind, i, j
        low = i * width - starts[i]
        if low > 0:
            least = min(least, j - low)
        if low + width <= columns:
            least = min(least, low + width - 1 - j)
        i -= a[kind]
        j -= b[kind]
    near[0] = least
    return at


def passage_rows(
    bead_scores: Any,
    lo: Any,
    first: int,
    a: Any,
    b: Any,
    taking: Any,
    alone: int,
    down: int,
    columns: int,
    costs: Any,
    path_scores: Any,
    passed: Any,
    came: Any,
) -> None:
    """Search a block of rows, as `passage_path` does.

    The arguments are those of `path_rows`, but `came` gets both answers. `down` is the index of (1,
    0) among `taking`. `costs` are the opening of a passage, what (1, 0) and (0, 1) score more in
    one, each times 256, and the bits of the first answer. `passed`, shape (2, width), has the cells
    in passages of the row above, and room for those of a row.
    """
    rows, wide = bead_scores.shape[1], bead_scores.shape[2]
    width, deep = path_scores.shape[1], path_scores.shape[0] - rows
    opening, more_down, more_along, bits = costs[0], costs[1], costs[2], costs[3]
    closed = (1 << bits) - 1
    above_row, inner = passed[0], passed[1]
    for r in range(rows):
        low, best = lo[first + r], path_scores[deep + r]
        begin, end = max(0, -low), min(wide, columns + 1 - low)
        for j in range(wide):
            best[j] = inner[j] = _BELOW_ALL
        for k in range(len(taking)):
            up = first + r - a[k]
            shift = low - lo[max(up, 0)] - b[k]
            code, above, kind = 255 - taking[k], deep + r - a[k], taking[k]
            for j in range(wide):
                cell_above = j + shift
                cell = path_scores[above, cell_above] if 0 <= cell_above < width else NEVER
                own = bead_scores[kind, r, j] << 8 if begin <= j < end else 0
                best[j] = max(best[j], cell + own + code)
                if k == down:
                    stayed = above_row[cell_above] if 0 <= cell_above < width else NEVER
                    opened = cell + opening + OPENED_ABOVE - STAYED
                    inner[j] = max(opened, stayed) + own + more_down + STAYED
        if first + r == 0 and -low < wide:
            best[-low] = 255
        total, outer_along, inner_along, sums = 0, _BELOW_ALL, _BELOW_ALL, 0
        for j in range(wide):
            if j and begin <= j < end and j - 1 >= begin:
                total += bead_scores[alone, r, j] << 8
            sums = total + j * more_along
            apart = best[j] - total
            outer_along = max(outer_along, apart)
            outer = (outer_along + total) & _SCORE
            step = alone if outer_along >> 8 > apart >> 8 else 255 - (apart & 255)
            within = max(inner[j], outer + opening + OPENED) - sums
            inner_along = max(inner_along, within)
            inside = (inner_along + sums) & _SCORE
            way = ALONG if inner_along >> 8 > within >> 8 else within & 255
            if inside > outer:
                step = closed
            best[j] = max(outer, inside)
            inner[j] = inside
            came[r, j] = step | (way << bits)
        for j in range(wide):
            above_row[j] = inner[j]
        for j in range(wide, width):
            path_scores[deep + r, j] = above_row[j] = NEVER


# Forward and backward sums (`bead_posteriors`).


def piece_weights(bead_scores: Any, taking: Any, unit: float, steps: Any, out: Any) -> None:
    """Write the logarithms of the weights of beads, as `Pieces` has them."""
    for k in range(len(taking)):
        for r in range(out.shape[1]):
            row, own, step = out[k, r], bead_scores[taking[k], r], steps[taking[k], r]
            for j in range(len(row)):
                row[j] = own[j] / unit - step


def piece_sums(  # noqa: C901 - numba compiles whole functions
    weights: Any,
    row: Any,
    real: Any,
    lo: Any,
    begin: Any,
    end: Any,
    columns: Any,
    first: Any,
    a: Any,
    b: Any,
    inside: Any,
    origin: Any,
    products: Any,
    inverse: Any,
    before: Any,
    after: Any,
) -> None:
    """Sum the weights of the paths to and from each point, as `Pieces.sums` does by products.

    Arguments up to `origin` are as in `Pieces`. `products` and `inverse`, shape (rows, pieces,
    width), are the products of the weights of (0, 1) from the beginning of each row on, and 1 over
    these. `before` and `after` get the sums.
    """
    size, count, width = before.shape
    kinds = len(a)
    for t in range(size):
        for p in range(count):
            row_sums, piece_row = before[t, p], row[t, p]
            for j in range(width):
                row_sums[j] = 0.0
            for k in range(kinds):
                shift = lo[piece_row] - lo[max(piece_row - a[k], begin[p])] - b[k]
                above = t - a[k]
                if above < 0 or not real[t, p] or abs(shift) >= width:
                    continue
                sums_above = before[above, p, max(shift, 0) : width + min(shift, 0)]
                own, into = weights[k, piece_row, max(-shift, 0) :], row_sums[max(-shift, 0) :]
                for j in range(len(sums_above)):
                    into[j] += sums_above[j] * own[j]
            # Paths begin at the first point of the table, or anywhere in a piece's first row.
            if t == 0 and first[p] > begin[p]:
                for j in range(width):
                    row_sums[j] = 1.0 if inside[piece_row, j] else 0.0
            if t == begin[p] - first[p]:
                row_sums[-lo[begin[p]]] = origin[p]
            total = 0.0
            for j in range(width):
                value = row_sums[j] * inverse[t, p, j]
                total = total + value if j else value
                row_sums[j] = total * products[t, p, j]
    for t in range(size - 1, -1, -1):
        for p in range(count):
            row_sums, piece_row = after[t, p], row[t, p]
            for j in range(width):
                row_sums[j] = 0.0
            for k in range(kinds):
                under = min(piece_row + a[k], end[p])
                shift = lo[piece_row] - lo[under] + b[k]
                below = t + a[k]
                if below >= size or abs(shift) >= width or not real[below, p]:
                    continue
                sums_below = after[below, p, max(shift, 0) : width + min(shift, 0)]
                own, into = weights[k, row[below, p], max(shift, 0) :], row_sums[max(-shift, 0) :]
                for j in range(len(sums_below)):
                    into[j] += own[j] * sums_below[j]
            if t == size - 1 and first[p] + size - 1 < end[p]:
                for j in range(width):
                    row_sums[j] = 1.0 if inside[piece_row, j] else 0.0
            if t == end[p] - first[p]:
                row_sums[columns[p] - lo[end[p]]] = 1.0
            total = 0.0
            for j in range(width - 1, -1, -1):
                value = row_sums[j] * products[t, p, j]
                total = total + value if j < width - 1 else value
                row_sums[j] = total * inverse[t, p, j]


# The evidence of words (`align.sentences.evidence.words`).
#
# The words of one side, the taking one, are explained by the sentences of the other side, the
# giving one: first those of the target, then those of the source. With l(y), t(y|s) and p(y) as
# there, the score of a word y is the logarithm of
#
#     (1 - l(y)) * (1 + odds(y) * (sum over s of t(y|s) / p(y)) / room),   odds = l / (1 - l)
#
# over the words s of the last 1, 2, ... sentences before a point, which have `room` words and
# sentences. `word_values` writes the second factor, numpy takes the logarithms, and `word_scores`
# adds them up with those of 1 - l(y).
#
# A side is given by the words of its text (`ptr`, `ids`, `times` of each sentence, and `weight` of
# sentences) and the mask of linked words. The `steps` cells of a point are for the last 1, 2, ...
# sentences before it.
#
# A tile is a row of six numbers: its first row and the number of its rows; the column that its
# first row begins with, before which are columns of the band, and the number of columns of each
# row; the first column of its first row in the table, and the number of columns from there to the
# last one that matters. Sentences before and after a text have no words.
#
# Points are the rows for target words, and the columns for source words. A sentence matters for
# some of them only, which ascend with it. The values of a word are those of a run of points, with
# all steps of each side by side, so that loops over them are vectorised; most of the other half of
# these are 1, whose logarithm adds 0.


def known_words(
    ptr: Any, ids: Any, times: Any, words: Any, weight: Any, silent: Any, nothing: Any, room: Any
) -> None:
    """Write the running sums of `KnownWords`.

    `silent` has the score of each word that nothing explains; all others but `nothing` and `room`,
    which get the sums, are those of a side.
    """
    nothing[0] = room[0] = 0.0
    for s in range(len(words)):
        total = 0.0
        for item in range(ptr[s], ptr[s + 1]):
            total += times[item] * weight[s] * silent[ids[item]]
        nothing[s + 1] = nothing[s] + total
        room[s + 1] = room[s] + (words[s] * weight[s] + 1.0)


def scratch_sizes(tiles: Ints, words: int, most: int, deep: int) -> tuple[int, int, int]:
    """Return the room that the following two functions need, in numbers of each kind.

    `words` is the number of words of all tiles, of both sides.
    """
    _, rows, _, width, _, across = tiles.max(axis=0).tolist()
    wide, tall = across + deep, rows + most
    sums = max(most * rows * wide, deep * across * tall)
    return (
        3 * words + most * (deep + 1),
        max(wide, tall) + max(most * rows, deep * across),
        max(3 * sums, words) + (3 + deep + most) * max(width, wide, tall),
    )


def word_values(  # noqa: C901, PLR0915 - numba compiles whole functions
    tiles: Any,
    src: Any,
    tgt: Any,
    by_target: Any,
    by_source: Any,
    odds: Any,
    rooms: Any,
    lo: Any,
    hi: Any,
    first_row: int,
    most: int,
    deep: int,
    places: Any,
    scratch: Any,
    value: Any,
    runs: Any,
    place_of: Any,
) -> int:
    """Write the second factor of each word of some tiles, and return their number.

    Parameters
    ----------
    tiles : array of int64, shape (tiles, 6)
    src, tgt : tuples of arrays
        Both sides: `ptr`, `ids`, `times`, `weight`, and the mask of linked words.
    by_target, by_source : tuples of arrays
        The links of each word of the target, and of the source: where those of each begin, the
        words of the other side, ascending, and their t / p.
    odds : two arrays of float64
        The odds of each word of the source, and of the target.
    rooms : two arrays of float64
        The running sums of sentences and words of the source, and of the target.
    lo, hi : array of int64
        The first column of each row of the table, and the last one that matters of each row of the
        block that begins with `first_row`.
    most, deep : int
        The most sentences of a bead on each side.
    places : two arrays of int32
        -1 for each word of both vocabularies, before and after.
    scratch : arrays of int32, float32 and float64
        Memory, as large as `scratch_sizes` says.
    value : array of float32
        Gets the values: of each word of a tile, and each point of its run, those of all steps.
    runs : array of int32, shape (words, 3)
        Gets the first value of each word of a tile, and the half-open run of its points.
    place_of : array of int32
        Gets the number of each linked word of each sentence, as in `runs`, and -1 for others.

    """
    number = words = items = 0
    ints, singles, floats = scratch
    for tile in range(len(tiles)):
        top, rows, left = tiles[tile, 0], tiles[tile, 1], tiles[tile, 2]
        ahead, across = tiles[tile, 4], tiles[tile, 5]
        lines, columns = top - most, ahead - deep
        for way in range(2):
            if way == 0:
                given_ptr, given_ids, given_times, given_weight, given_linked = src
                ptr, ids, _, weight, linked = tgt
                link_ptr, link_word, link_ratio = by_target
                own_odds, room, given_place, place = odds[1], rooms[0], places[0], places[1]
                given_first, first, steps, points = lines, columns, most, rows
                given_count, count = rows + most - 1, across + deep - 1
            else:
                given_ptr, given_ids, given_times, given_weight, given_linked = tgt
                ptr, ids, _, weight, linked = src
                link_ptr, link_word, link_ratio = by_source
                own_odds, room, given_place, place = odds[0], rooms[1], places[1], places[0]
                given_first, first, steps, points = columns, lines, deep, across
                given_count, count = across + deep - 1, rows + most - 1
            low = min(max(given_first, 0), len(given_weight))
            high = min(max(given_first + given_count, 0), len(given_weight))
            base = given_ptr[low]
            # The items of each word of the giving side, as a list: the last one first.
            given = given_ptr[high] - base
            follows, sentence, rest = ints[:given], ints[given : 2 * given], ints[2 * given :]
            counts = floats[given_count:]
            for s in range(low, high):
                for item in range(given_ptr[s], given_ptr[s + 1]):
                    word = given_ids[item]
                    if given_linked[word]:
                        follows[item - base] = given_place[word]
                        sentence[item - base] = s - given_first
                        counts[item - base] = given_times[item] * given_weight[s]
                        given_place[word] = item - base
            log_scores, inverse = singles[:given_count], singles[given_count:]
            for step in range(steps):
                for point in range(points):
                    end = min(max(given_first + steps + point, 0), len(room) - 1)
                    start = min(max(given_first + steps + point - step - 1, 0), len(room) - 1)
                    inverse[point * steps + step] = 1.0 / max(room[end] - room[start], 1.0)
            sums = floats[:given_count]
            sums[:] = 0.0
            log_scores[:] = 0.0
            lowest = min(max(first, 0), len(weight))
            highest = min(max(first + count, 0), len(weight))
            # The different words, and the points for which their sentences matter.
            size, words_before = ptr[highest] - ptr[lowest], words
            different, open_, close = rest[:size], rest[size : 2 * size], rest[2 * size :]
            begun = ended = 0
            for s in range(lowest, highest):
                if way == 0:
                    while begun < rows and hi[top + begun - first_row] <= s:
                        begun += 1
                    while ended < rows and lo[top + ended] - deep <= s:
                        ended += 1
                    least, last = begun, ended - 1
                else:
                    above, below = max(s + 1, top), min(s + most, top + rows - 1)
                    least, last = lo[above] + left - ahead, hi[below - first_row] - ahead
                for item in range(ptr[s], ptr[s + 1]):
                    word = ids[item]
                    if not linked[word]:
                        place_of[items] = -1
                    else:
                        if place[word] < 0:
                            place[word] = words
                            different[words - words_before] = word
                            open_[words - words_before] = least
                            words += 1
                        place_of[items] = place[word]
                        close[place[word] - words_before] = last
                    items += 1
            for k in range(words - words_before):
                word, run = different[k], words_before + k
                runs[run, 0], runs[run, 1], runs[run, 2] = number, 0, 0
                far = close[k] + steps  # sentences from here on are not scored
                least, last = given_count, -1
                for link in range(link_ptr[word], link_ptr[word + 1]):
                    occurrence = given_place[link_word[link]]
                    if occurrence < 0:
                        continue
                    ratio = link_ratio[link]
                    while occurrence >= 0 and ratio != 0.0:
                        where = sentence[occurrence]
                        if where < open_[k]:
                            break
                        if where < far:
                            sums[where] += ratio * counts[occurrence]
                            least, last = min(least, where), max(last, where)
                        occurrence = follows[occurrence]
                if last < 0:
                    continue
                for where in range(least, last + 1):
                    log_scores[where] = sums[where] * own_odds[word]
                    sums[where] = 0.0
                earliest = max(least - steps + 1, 0, open_[k])
                after = max(min(last, points - 1, close[k]) + 1, earliest)
                runs[run, 1], runs[run, 2] = earliest, after
                own, divisor = value[number:], inverse[earliest * steps :]
                before, one = log_scores[earliest:], np.float32(1.0)
                # The sentence before the point, then the ones before it.
                if steps == 4:  # as most are: the steps of a point are computed together
                    for point in range(after - earliest):
                        first_sum = before[point + 3]
                        second_sum = first_sum + before[point + 2]
                        third_sum = second_sum + before[point + 1]
                        cell = 4 * point
                        own[cell] = divisor[cell] * first_sum + one
                        own[cell + 1] = divisor[cell + 1] * second_sum + one
                        own[cell + 2] = divisor[cell + 2] * third_sum + one
                        own[cell + 3] = divisor[cell + 3] * (third_sum + before[point]) + one
                else:
                    for point in range(after - earliest):
                        grown = np.float32(0.0)
                        for step in range(steps):
                            grown += before[point + steps - 1 - step]
                            cell = point * steps + step
                            own[cell] = divisor[cell] * grown + one
                number += (after - earliest) * steps
                for where in range(least, last + 1):
                    log_scores[where] = np.float32(0.0)
            for item in range(given_ptr[low], given_ptr[high]):
                given_place[given_ids[item]] = -1
            for item in range(ptr[lowest], ptr[highest]):
                place[ids[item]] = -1
    return number


def word_scores(  # noqa: C901, PLR0915 - as above
    tiles: Any,
    src: Any,
    tgt: Any,
    silences: Any,
    most: int,
    deep: int,
    scratch: Any,
    value: Any,
    runs: Any,
    place_of: Any,
    lo: Any,
    hi: Any,
    first_row: int,
    kinds: Any,
    a: Any,
    b: Any,
    weight: Any,
    out: Any,
) -> None:
    """Write the scores of the beads with two sides that end in some tiles.

    `tiles`, `src`, `tgt`, `most`, `deep`, `scratch`, `runs`, `place_of`, `lo`, `hi` and `first_row`
    are as `word_values` has and leaves them; `value` has the logarithms of its values.
    `silences` are the running sums of the scores of words that nothing explains, of both sides.
    `kinds`, `a` and `b` are the beads with two sides. Each score is multiplied by `weight`, and
    written to `out`, shape (beads, rows, width); those after the last column that matters are 0.
    """
    items = widest = room = 0
    for tile in range(len(tiles)):
        rows, across = tiles[tile, 1], tiles[tile, 5]
        room = max(room, most * rows * (across + deep - 1), deep * across * (rows + most - 1))
        widest = max(widest, tiles[tile, 3], across + deep, rows + most)
    ints, _, floats = scratch
    # The sums of each sentence, laid out as the values of a word; once more those of source
    # sentences, by columns.
    sums, by_column = (floats[:room], floats[room : 2 * room]), floats[2 * room : 3 * room]
    floats = floats[3 * room :]
    alone = floats[:widest], floats[widest : 2 * widest]
    forward, backward = floats[2 * widest : 3 * widest], floats[3 * widest : (3 + deep) * widest]
    of_row = floats[(3 + deep) * widest :]
    # The index of each type, and the most target sentences of a type with so many of the source.
    kind_of, deepest = ints[: most * deep], ints[most * deep :]
    kind_of[:] = -1
    deepest[:most] = 0
    for k in range(len(kinds)):
        kind_of[(a[k] - 1) * deep + b[k] - 1] = kinds[k]
        for step in range(a[k]):
            deepest[step] = max(deepest[step], b[k])
    for tile in range(len(tiles)):
        top, rows, left, width = tiles[tile, 0], tiles[tile, 1], tiles[tile, 2], tiles[tile, 3]
        ahead, across = tiles[tile, 4], tiles[tile, 5]
        wide, tall = across + deep - 1, rows + most - 1
        for way in range(2):
            if way == 0:
                ptr, _, times, weights, _ = tgt
                start, count, silence = ahead - deep, wide, silences[1]
                steps, points = most, rows
            else:
                ptr, _, times, weights, _ = src
                start, count, silence = top - most, tall, silences[0]
                steps, points = deep, across
            side_sums, own_alone, cells = sums[way], alone[way], steps * points
            side_sums[: cells * count] = 0.0
            lowest = min(max(start, 0), len(weights))
            highest = min(max(start + count, 0), len(weights))
            begun = ended = 0
            for s in range(lowest, highest):
                if way == 0:
                    while begun < rows and hi[top + begun - first_row] <= s:
                        begun += 1
                    while ended < rows and lo[top + ended] - deep <= s:
                        ended += 1
                    least, last = begun, ended - 1
                else:
                    above, below = max(s + 1, top), min(s + most, top + rows - 1)
                    least, last = lo[above] + left - ahead, hi[below - first_row] - ahead
                own_sums = side_sums[(s - start) * cells :]
                for item in range(ptr[s], ptr[s + 1]):
                    word = place_of[items]
                    items += 1
                    if word >= 0:
                        first, open_ = runs[word, 0], max(runs[word, 1], least)
                        number = (min(runs[word, 2], last + 1) - open_) * steps
                        if number > 0:
                            weight_of_word = times[item] * weights[s]
                            logs = value[first + (open_ - runs[word, 1]) * steps :]
                            to = own_sums[open_ * steps :]
                            for k in range(number):
                                to[k] += logs[k] * weight_of_word
            ends = len(silence) - 1
            for s in range(count):
                own_alone[s] = (
                    silence[min(max(start + s + 1, 0), ends)]
                    - silence[min(max(start + s, 0), ends)]
                )
        for s in range(tall):
            for step in range(deep):
                to = (s * deep + step) * across
                for point in range(across):
                    by_column[to + point] = sums[1][(s * across + point) * deep + step]
        for r in range(rows):
            place = lo[top + r] + left - ahead
            used = max(min(width, hi[top + r - first_row] + 1 - ahead - place), 0)
            for k in range(len(kinds)):
                out[kinds[k], top - first_row + r, left + used : left + width] = 0.0
            for s in range(used + deep - 1 if used else 0):
                from_cell = ((place + s) * rows + r) * most
                for step in range(most):
                    of_row[step * widest + s] = sums[0][from_cell + step]
            # Running sums over the source sentences of a bead, and within over the target ones.
            for step in range(most):
                ahead_of = step * widest + deep - 1
                behind = r + most - 1 - step
                for d in range(deepest[step]):
                    own = of_row[ahead_of - d : ahead_of - d + used]
                    silent = alone[0][place + deep - 1 - d : place + deep - 1 - d + used]
                    index = (behind * deep + d) * across + place
                    other, quiet = by_column[index : index + used], alone[1][behind]
                    total = backward[d * widest : (d + 1) * widest]
                    for c in range(used):
                        forward[c] = own[c] + silent[c] + (forward[c] if d else 0.0)
                        total[c] = other[c] + quiet + (total[c] if step else 0.0)
                    kind = kind_of[step * deep + d]
                    if kind >= 0:
                        row = out[kind, top - first_row + r, left : left + used]
                        for c in range(used):
                            row[c] = np.float32(forward[c] + total[c]) * weight
