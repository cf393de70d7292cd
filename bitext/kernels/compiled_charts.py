"""Kernels of the built-in parser that numba compiles, if it is installed: the extra `fast`.

The loops of `syntax.english`, written for single numbers, with the same results to the last bit:
both versions use the matrix products, exponentials and logarithms of numpy, and a maximum does not
depend on the order. `compiled` describes when numba is loaded, and where it stores its code.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from bitext.kernels.kernel_groups import KernelGroup
from bitext.kernels.object_code import Type, read, written

# Squared lengths of sentences, summed: with more of them a process loads numba before it parses.
# Set by hand: with 470,000 it saves more than its loading takes (scripts/bench/parsing.md).
_LEAST_WORK = 300_000
_PLACES_AT_ONCE = 64  # whose features are found together, so that their rows fit into the cache


class ChartKernels(NamedTuple):
    """The functions below, compiled or not."""

    feature_sums: Callable[..., Any]
    split_logs: Callable[..., Any]
    split_sums: Callable[..., Any]
    scaled_sums: Callable[..., Any]
    outer_rows: Callable[..., Any]
    outer_splits: Callable[..., Any]
    best_splits: Callable[..., Any]
    best_tags: Callable[..., Any]


def _signatures() -> dict[str, tuple[Callable[..., Any], list[Type]]]:
    row, table, cells, deep = (read("f4", dimensions) for dimensions in range(1, 5))
    places, codes = read("i8"), read("u4")
    sums, boxes, deep_boxes = (written("f4", dimensions) for dimensions in range(2, 5))
    best = written("i8", 3)
    return {
        "feature_sums": (
            feature_sums,
            [
                *(read("u8", 2), read("i8", 2), read("u8"), read("u8"), "i8", "i8"),
                *(read("i4"), read("i1", 2), written("i2", 2)),
            ],
        ),
        "split_logs": (
            split_logs,
            [read("f8", 3), read("f8", 3), "i8", written("f8", 3), written("f8", 2)],
        ),
        "split_sums": (split_sums, [cells, deep, deep, deep, cells, codes, "i8", boxes]),
        "scaled_sums": (
            scaled_sums,
            [
                *(cells, boxes, cells, cells, cells, codes, codes, codes, "i8"),
                *(deep_boxes, deep_boxes, deep_boxes, deep_boxes, sums, boxes),
            ],
        ),
        "outer_rows": (
            outer_rows,
            [
                *(table, table, table, places, table, places, table, table),
                *(codes, codes, codes, sums, written("f4")),
            ],
        ),
        "outer_splits": (
            outer_splits,
            [
                *(cells, deep, deep, deep, cells, cells, table, places, places, codes),
                *("i8", "f4", best, sums, sums, sums, "i8"),
            ],
        ),
        "best_splits": (best_splits, [cells, places, best]),
        "best_tags": (best_tags, [table, table, row, places, written("i8")]),
    }


chart_kernels = KernelGroup(ChartKernels, _signatures, _LEAST_WORK, by_numba=True)
load_chart_kernels, plain_chart_kernels = chart_kernels.load, chart_kernels.plain


def feature_sums(
    codes: Any,
    templates: Any,
    keys: Any,
    multipliers: Any,
    bits: int,
    rest: int,
    slots: Any,
    weights: Any,
    sums: Any,
) -> None:
    """Add the weights of the features of each place, as `Table.sums` does.

    Parameters
    ----------
    codes : array of uint64, shape (columns, places)
    templates : array of int64, shape (templates, columns of a template)
        The columns of each template; -1 after the last.
    keys : array of uint64
        What the first code of each template is mixed with.
    multipliers : array of uint64
        The second and the third of `features.mix`.
    bits, rest : int
        The bits of a hash, and of that which distinguish the hashes of one slot.
    slots : array of int32
        The row of each slot, times 2 ** `rest`, with the bits of its hash.
    weights : array of int8, shape (rows, columns)
    sums : array of int16, shape (places, columns)
        Zeros, to which the weights are added.

    """
    second, third = multipliers[0], multipliers[1]
    shift, drop = np.uint64(29), np.uint64(64 - bits)
    low, mask = np.uint64(rest), (1 << rest) - 1
    size, longest, width = codes.shape[1], templates.shape[1], sums.shape[1]
    count = len(templates)
    mixed = np.empty(_PLACES_AT_ONCE, dtype=np.uint64)
    moved = np.empty(_PLACES_AT_ONCE, dtype=np.uint64)
    rows = np.empty((count, _PLACES_AT_ONCE), dtype=np.int32)
    known_rows = np.zeros(count + 3, dtype=np.int32)
    for first in range(0, size, _PLACES_AT_ONCE):
        number = min(_PLACES_AT_ONCE, size - first)
        hashes, shifted = mixed[:number], moved[:number]
        for t in range(count):
            # Into arrays that are there: a new one for each step takes longer than the step.
            np.bitwise_xor(codes[templates[t, 0], first : first + number], keys[t], hashes)
            np.multiply(hashes, second, hashes)
            np.right_shift(hashes, shift, shifted)
            np.bitwise_xor(hashes, shifted, hashes)
            for k in range(1, longest):
                if templates[t, k] < 0:
                    break
                np.bitwise_xor(hashes, codes[templates[t, k], first : first + number], hashes)
                np.multiply(hashes, second, hashes)
                np.right_shift(hashes, shift, shifted)
                np.bitwise_xor(hashes, shifted, hashes)
            np.multiply(hashes, third, hashes)
            np.right_shift(hashes, drop, hashes)
            row = rows[t]
            for j in range(number):
                row[j] = slots[hashes[j] >> low]
            for j in range(number):
                row[j] = (row[j] >> rest) * ((row[j] ^ np.int32(hashes[j])) & mask == 0)
        for j in range(number):
            total = sums[first + j]
            known = 0
            for t in range(count):
                known_rows[known] = rows[t, j]
                known += rows[t, j] > 0
            for t in range(known, known + -known % 4):
                known_rows[t] = 0  # whose weights are 0
            for t in range(0, known, 4):
                a, b = weights[known_rows[t]], weights[known_rows[t + 1]]
                c, d = weights[known_rows[t + 2]], weights[known_rows[t + 3]]
                for w in range(width):
                    total[w] += np.int16(a[w]) + b[w] + c[w] + d[w]


def split_logs(by_start: Any, by_end: Any, length: int, splits: Any, log: Any) -> None:
    """Write the logarithms of the weights of splits, relative to the largest one of each span.

    Parameters
    ----------
    by_start, by_end : array of float64
        The logarithms of the scales of spans, by first word and length, and by end and length.
    length : int
    splits : array of float64, shape (sentences, spans, length - 1)
        Gets the logarithms.
    log : array of float64, shape (sentences, spans)
        Gets the largest ones.

    """
    for b in range(splits.shape[0]):
        for first in range(splits.shape[1]):
            logs = splits[b, first]
            most = -np.inf
            for k in range(length - 1):
                one = by_start[b, first, k + 1] + by_end[b, first + length, length - 1 - k]
                logs[k] = one
                most = max(most, one)
            log[b, first] = most
            for k in range(length - 1):
                logs[k] -= most


def split_sums(
    words: Any,
    left: Any,
    states: Any,
    narrow_states: Any,
    splits: Any,
    label_states: Any,
    length: int,
    sums: Any,
) -> None:
    """Write the weighted sums over the splits of each span of a length.

    `words`, shape (sentences, words, states), are the inside sums of words as other daughters;
    `left`, shape (sentences, words, words + 1, label states), those of spans, by first word and
    length, in their label states. `states` and `narrow_states`, shape (sentences, words + 1, words,
    ...), are the inside sums of all states and of label states, by end, from long spans to short
    ones. `splits`, shape (sentences, spans, length - 1), are the weights of the splits;
    `label_states` are the states to which labels lead. `sums`, shape (sentences, spans, states),
    gets the sums.
    """
    batch, count, parts = splits.shape
    last, width, narrow = states.shape[2], states.shape[3], len(label_states)
    added = np.empty(narrow, dtype=np.float32)
    for b in range(batch):
        for first in range(count):
            end, to, weight = first + length, sums[b, first], splits[b, first, 0]
            one, other = words[b, first], states[b, end, last - parts]
            for s in range(width):
                to[s] = one[s] * other[s] * weight
            if parts == 1:
                continue
            for s in range(narrow):
                added[s] = 0.0
            for k in range(1, parts):
                weight = splits[b, first, k]
                one, other = left[b, first, k + 1], narrow_states[b, end, last - parts + k]
                for s in range(narrow):
                    added[s] += one[s] * other[s] * weight
            for s in range(narrow):
                to[label_states[s]] += added[s]


def scaled_sums(  # noqa: C901 - numba compiles whole functions
    label: Any,
    states: Any,
    above: Any,
    state: Any,
    left: Any,
    category: Any,
    narrow_category: Any,
    label_states: Any,
    length: int,
    all_label: Any,
    all_states: Any,
    all_narrow: Any,
    all_left: Any,
    scale: Any,
    most_left: Any,
) -> None:
    """Store the inside sums of spans of a length relative to their maxima.

    Parameters
    ----------
    label, states, above : array of float32, shape (sentences, spans, ...)
        The sums of labels; those of states from their next states, which are changed; and those
        of states, as last and of label states as other daughters, from labels.
    state, left : array of float32, shape (sentences, spans, categories)
        The factors of the states of each category.
    category, narrow_category : array of uint32
        The category of each state, and of each label state.
    label_states : array of uint32
        The states to which labels lead.
    length : int
    all_label, all_states, all_narrow, all_left : array of float32
        Get the sums: of labels and of other daughters by first word and length, and of all states
        and of label states alone by end, from long spans to short ones.
    scale : array of float32, shape (sentences, spans)
        Gets the maxima.
    most_left : array of float32, shape (sentences, words, words + 1)
        Gets the largest sum of each span as another daughter.

    """
    batch, count, width = states.shape
    labels, last, narrow = label.shape[2], all_states.shape[2], len(label_states)
    # Floats that are not negative have the order of their bits, and maxima of integers are faster.
    label_bits, states_bits = label.view(np.int32), states.view(np.int32)
    left_bits = all_left.view(np.int32)
    most = np.empty(1, dtype=np.float32)
    most_bits = most.view(np.int32)
    factor = np.empty(width, dtype=np.float32)
    one = np.float32(1.0)
    for b in range(batch):
        for first in range(count):
            span_states, up, names = states[b, first], above[b, first], label[b, first]
            for s in range(width):
                factor[s] = state[b, first, category[s]]
            for s in range(width):
                span_states[s] = (span_states[s] + up[s]) * factor[s]
            bits = label_bits[b, first, 0]
            for s in range(width):
                bits = max(bits, states_bits[b, first, s])
            for s in range(labels):
                bits = max(bits, label_bits[b, first, s])
            most_bits[0] = bits
            scale[b, first] = most[0]
            shrink = one / most[0]
            to_label, to_left = all_label[b, first, length], all_left[b, first, length]
            to_states = all_states[b, first + length, last - length]
            to_narrow = all_narrow[b, first + length, last - length]
            for s in range(labels):
                to_label[s] = names[s] * shrink
            for s in range(width):
                to_states[s] = span_states[s] * shrink
            for s in range(narrow):
                to_narrow[s] = to_states[label_states[s]]
            for s in range(narrow):
                factor[s] = left[b, first, narrow_category[s]] * shrink
            beside = up[width:]
            for s in range(narrow):
                to_left[s] = beside[s] * factor[s]
            bits = left_bits[b, first, length, 0]
            for s in range(narrow):
                bits = max(bits, left_bits[b, first, length, s])
            most_bits[0] = bits
            most_left[b, first, length] = most[0]


def outer_rows(
    as_last: Any,
    as_later: Any,
    as_left: Any,
    rows: Any,
    states: Any,
    place: Any,
    state: Any,
    left: Any,
    category: Any,
    narrow_category: Any,
    label_states: Any,
    outer: Any,
    likely: Any,
) -> None:
    """Collect the outside sums of spans, times the factors of their states.

    Parameters
    ----------
    as_last, as_later, as_left : array of float32, shape (rows, ...)
        The outside sums of last daughters after words, of last daughters after longer spans, and
        of other daughters; the last two have label states alone.
    rows : array of int64
        The rows of the spans.
    states : array of float32, shape (places, states)
        The inside sums of states.
    place : array of int64
        The places of the spans there.
    state, left : array of float32, shape (spans, categories)
        The factors of the states of each category.
    category, narrow_category : array of uint32
        The category of each state, and of each label state.
    label_states : array of uint32
        The states to which labels lead.
    outer : array of float32, shape (spans, states + label states)
        Gets the sums, of last and of other daughters.
    likely : array of float32
        Gets the probability of the most probable state as a last daughter.

    """
    width, narrow = states.shape[1], len(label_states)
    product = np.empty(width, dtype=np.float32)
    product_bits = product.view(np.int32)
    most = np.empty(1, dtype=np.float32)
    most_bits = most.view(np.int32)
    factor = np.empty(width, dtype=np.float32)
    for r in range(len(rows)):
        one, more, other = as_last[rows[r]], as_later[rows[r]], as_left[rows[r]]
        inner = states[place[r]]
        to_last, to_left = outer[r, :width], outer[r, width:]
        for s in range(width):
            to_last[s] = one[s]
        for s in range(narrow):
            to_last[label_states[s]] += more[s]
        for s in range(width):
            product[s] = to_last[s] * inner[s]
        # The greatest product by its bits, as in `scaled_sums`.
        bits = product_bits[0]
        for s in range(width):
            bits = max(bits, product_bits[s])
        most_bits[0] = bits
        likely[r] = most[0]
        for s in range(width):
            factor[s] = state[r, category[s]]
        for s in range(width):
            to_last[s] *= factor[s]
        for s in range(narrow):
            factor[s] = left[r, narrow_category[s]]
        for s in range(narrow):
            to_left[s] = other[s] * factor[s]


def outer_splits(  # noqa: C901 - numba compiles whole functions
    words: Any,
    left: Any,
    states: Any,
    narrow_states: Any,
    splits: Any,
    most_left: Any,
    outer: Any,
    batch: Any,
    first: Any,
    label_states: Any,
    length: int,
    least: Any,
    row: Any,
    as_left: Any,
    as_last: Any,
    as_later: Any,
    used: int,
) -> int:
    """Add the outside sums of spans of a length to those of the parts of their probable splits.

    Parameters
    ----------
    words, left, states, narrow_states, splits : array of float32
        As those of `split_sums`.
    most_left : array of float32
        As `scaled_sums` writes it.
    outer : array of float32, shape (spans, states)
        The outside sums of the spans.
    batch, first : array of int64
        The sentence and the first word of each.
    label_states : array of uint32
        The states to which labels lead.
    length : int
    least : float32
        The probability below which a split is left out, that of its most probable state.
    row : array of int64, shape (words + 1, sentences, words)
        The row of each span in the next arrays, by length; 0 if it has none yet.
    as_left, as_last, as_later : array of float32, shape (rows, ...)
        The sums to which is added, as those of `outer_rows`.
    used : int
        The rows that are used before.

    Returns
    -------
    int
        The rows that are used then.

    """
    width, narrow, parts = states.shape[3], len(label_states), length - 1
    last = states.shape[2]
    outer_bits = outer.view(np.int32)
    product = np.empty(width, dtype=np.float32)
    product_bits = product.view(np.int32)
    narrow_above = np.empty(narrow, dtype=np.float32)
    most = np.empty(1, dtype=np.float32)
    most_bits = most.view(np.int32)
    for r in range(len(batch)):
        b, begin, end, above = batch[r], first[r], first[r] + length, outer[r]
        bits = outer_bits[r, 0]
        for s in range(width):
            bits = max(bits, outer_bits[r, s])
        most_bits[0] = bits
        # No state of a split is more probable than this, with room for rounding: a state's inside
        # sum is at most 1.
        bound = most[0] * np.float32(1.001)
        for s in range(narrow):
            narrow_above[s] = above[label_states[s]]
        for k in range(parts):
            weight = splits[b, begin, k]
            if not bound * most_left[b, begin, k + 1] * weight > least:
                continue
            other = narrow_states[b, end, last - parts + k]
            if k == 0:
                one, whole = words[b, begin], states[b, end, last - parts]
                for s in range(width):
                    product[s] = one[s] * above[s] * whole[s]
                size = width
            else:
                one = left[b, begin, k + 1]
                for s in range(narrow):
                    product[s] = one[s] * narrow_above[s] * other[s]
                size = narrow
            bits = product_bits[0]
            for s in range(size):
                bits = max(bits, product_bits[s])
            most_bits[0] = bits
            if not most[0] * weight > least:
                continue
            for side in range(2):
                size = k + 1 if side == 0 else parts - k
                at = begin if side == 0 else begin + k + 1
                if row[size, b, at] == 0:
                    row[size, b, at] = used
                    as_left[used] = 0.0
                    as_last[used] = 0.0
                    as_later[used] = 0.0
                    used += 1
            to_left = as_left[row[k + 1, b, begin]]
            for s in range(narrow):
                to_left[s] += other[s] * weight * narrow_above[s]
            if k == 0:
                to_last = as_last[row[parts, b, begin + 1]]
                for s in range(width):
                    to_last[s] += one[s] * above[s] * weight
            else:
                to_last = as_later[row[parts - k, b, begin + k + 1]]
                for s in range(narrow):
                    to_last[s] += one[s] * narrow_above[s] * weight
    return used


def best_splits(gain: Any, sizes: Any, split: Any) -> None:
    """Write the best split of each span, as `best_brackets` finds it.

    Parameters
    ----------
    gain : array of float32, shape (sentences, words, words + 1)
        What the best label of each span scores.
    sizes : array of int64
        The words of each sentence.
    split : array of int64, shape (sentences, words, words + 1)
        Gets the length of the first part of each span.

    """
    batch, words = gain.shape[0], gain.shape[1]
    value = np.zeros((words + 1, words + 1), dtype=np.float64)  # by first word and end
    for b in range(batch):
        for length in range(1, sizes[b] + 1):
            for first in range(sizes[b] - length + 1):
                end = first + length
                own = max(gain[b, first, length], np.float32(0.0))
                if length == 1:
                    value[first, end] = own
                    continue
                most, best_split = value[first, first + 1] + value[first + 1, end], 1
                for k in range(2, length):
                    one = value[first, first + k] + value[first + k, end]
                    if one > most:
                        most, best_split = one, k
                value[first, end] = own + most
                split[b, first, length] = best_split


def best_tags(scores: Any, between: Any, opening: Any, begin: Any, best: Any) -> None:
    """Write the best tags of sentences, as `best_row` finds them.

    Parameters
    ----------
    scores : array of float32, shape (words, tags)
        The scores of the tags of the words of all sentences.
    between : array of float32, shape (tags, previous tags)
        The scores of transitions.
    opening : array of float32
        The scores of the tags of first words.
    begin : array of int64
        The first word of each sentence, and the end of the last one.
    best : array of int64
        Gets the tags.

    """
    words, tags = scores.shape
    came = np.empty((words, tags), dtype=np.int64)
    value, after = np.empty(tags, dtype=np.float32), np.empty(tags, dtype=np.float32)
    for k in range(len(begin) - 1):
        low, high = begin[k], begin[k + 1]
        for tag in range(tags):
            value[tag] = scores[low, tag] + opening[tag]
        for word in range(low + 1, high):
            for tag in range(tags):
                # Viterbi; the first of equal tags is taken, as `argmax` of `best_row` does.
                most, best_tag = between[tag, 0] + value[0], 0
                for other in range(1, tags):
                    one = between[tag, other] + value[other]
                    if one > most:
                        most, best_tag = one, other
                came[word, tag] = best_tag
                after[tag] = most + scores[word, tag]
            for tag in range(tags):
                value[tag] = after[tag]
        best_tag = 0
        for tag in range(1, tags):
            if value[tag] > value[best_tag]:
                best_tag = tag
        best[high - 1] = best_tag
        for word in range(high - 1, low, -1):
            best_tag = came[word, best_tag]
            best[word - 1] = best_tag
