"""Sentence pairs as blocks and batches of cells."""

import numpy as np
import pytest

from bitext.align.links.corpus import block_of, blocks, cut, number
from bitext.errors import InputError


def test_each_cell_refers_to_its_two_words_whatever_is_frequent():
    random = np.random.default_rng(1)
    texts = [
        [" ".join(f"{side}{w}" for w in random.geometric(0.2, size)) for size in sizes]
        for side, sizes in zip("st", random.integers(0, 7, (2, 40)), strict=True)
    ]
    src, tgt = (number(text) for text in texts)
    pieces = cut(src, tgt)
    (run,) = blocks(pieces)
    block = block_of(pieces, run, src, tgt, frequent=3)
    assert len({*zip(block.src.tolist(), block.tgt.tolist(), strict=True)}) == block.src.size
    seen = []
    for batch in block.batches:
        cells = block.cells[batch.cells].reshape(batch.shape)
        for row, piece in enumerate(batch.piece.tolist()):
            pair = int(pieces.pair[piece])
            source, target = (text[pair].split() for text in texts)
            seen.append(pair)
            inner = cells[row, : len(source), : len(target)]
            assert [[src.forms[block.src[c]] for c in line] for line in inner] == [
                [word] * len(target) for word in source
            ]
            assert [[tgt.forms[block.tgt[c]] for c in line] for line in inner] == [
                target for _ in source
            ]
            padding = cells[row].copy()
            padding[: len(source), : len(target)] = block.src.size
            assert (padding == block.src.size).all()
    assert sorted(seen) == [k for k in range(40) if texts[0][k] and texts[1][k]]


def test_words_are_numbered_by_frequency_without_regard_to_case():
    words = number(["b A", ["a", "B", "a"], ""])
    assert (words.forms, words.number.tolist()) == (["a", "b"], [1, 0, 0, 1, 0])
    assert (words.ptr.tolist(), words.tally.tolist()) == ([0, 2, 5, 5], [3, 2])


@pytest.mark.parametrize("sentences", [[["a", 7]], [3], [None]])
def test_tokens_are_strings(sentences):
    with pytest.raises(InputError, match="want a string, or a list of tokens that are strings"):
        number(sentences)


def test_one_string_is_no_corpus():
    with pytest.raises(InputError, match="want a list of sentences"):
        number("one sentence")


def test_a_long_pair_is_in_one_block_with_all_its_pieces():
    pieces = cut(*(number(["a", "b " * 2000, "c"]) for _ in range(2)))
    assert pieces.pair.tolist() == [0, 1, 1, 1, 1, 2]
    assert blocks(pieces, 300_000) == [slice(0, 1), slice(1, 5), slice(5, 6)]
    assert blocks(pieces, 1 << 25) == [slice(0, 6)]
