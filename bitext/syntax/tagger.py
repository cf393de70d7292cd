"""Tags of words: a linear-chain model over words, suffixes, shapes and neighbours.

The weights of the features of a word say which tags it may have, and one weight for each pair of
tags says what follows what. The most probable row of tags is found by Viterbi's program.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.syntax.feature_table import NAMES, Table, mix, stacked, word_codes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Codes = NDArray[np.uint64]
    Floats = NDArray[np.float32]

__all__ = ["Tagger", "best_row", "tag_features"]

_SIGNS = frozenset([",", ".", ":", "``", "''"])  # tags of no word with a letter or a digit
_NEVER = -1e6


class Tagger:
    """The weights of a tagger, as packed in a model.

    Parameters
    ----------
    packed : mapping of str to array
        The arrays of the model.

    """

    def __init__(self, packed: Mapping[str, NDArray[np.generic]]) -> None:
        self.tags = tuple(str(tag) for tag in packed["tagger_tags"])
        self.following: Floats = packed["tagger_following"].astype(np.float32)
        self._table = Table(packed, "tagger")
        self._signs = [k for k, tag in enumerate(self.tags) if tag in _SIGNS]

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the tags of each sentence, none of them empty."""
        scores = self._table.sums(tag_features(sentences))
        spoken = [any(map(str.isalnum, word)) for sentence in sentences for word in sentence]
        scores[np.ix_(spoken, self._signs)] = _NEVER
        out, at = [], 0
        for sentence in sentences:
            row = best_row(scores[at : at + len(sentence)], self.following)
            out.append([self.tags[k] for k in row])
            at += len(sentence)
        return out


def best_row(scores: Floats, following: Floats) -> list[int]:
    """Return the best row of tags; of equals, the one with the earlier tags from the end.

    Parameters
    ----------
    scores : array of float
        How well each tag fits each word [word, tag].
    following : array of float
        How well a tag follows another [tag before, tag]; the last row is for the first word.

    """
    between = np.ascontiguousarray(following[:-1].T)  # [tag, tag before]
    value = scores[0] + following[-1]
    came = np.empty(scores.shape, dtype=np.intp)
    tags = np.arange(scores.shape[1])
    for k in range(1, len(scores)):
        both = between + value
        came[k] = both.argmax(axis=1)
        value = both[tags, came[k]] + scores[k]
    row = [int(value.argmax())]
    for k in range(len(scores) - 1, 0, -1):
        row.append(int(came[k, row[-1]]))
    return row[::-1]


def tag_features(sentences: Sequence[Sequence[str]]) -> NDArray[np.int64]:
    """Return the hashes of the features of each word, one sentence after another."""
    sizes = np.array([len(sentence) for sentence in sentences], dtype=np.intp)
    begin = np.cumsum(sizes + 4) - sizes - 2
    place = np.concatenate([np.arange(b, b + n) for b, n in zip(begin, sizes, strict=True)])
    known = word_codes(word for sentence in sentences for word in sentence)
    line = np.zeros((int((sizes + 4).sum()), len(NAMES)), dtype=np.uint64)
    for k, at in enumerate((begin - 2, begin - 1, begin + sizes, begin + sizes + 1)):
        line[at] = k + 1
    line[place] = known
    first = np.zeros(len(place), dtype=np.uint64)
    first[np.cumsum(sizes) - sizes] = 1
    here, before, after = (_named(line[place + k]) for k in (0, -1, 1))
    before2, after2 = _named(line[place - 2]), _named(line[place + 2])
    templates: list[tuple[Codes, ...]] = [(np.zeros_like(first),)]
    templates += [(here[name],) for name in NAMES]
    templates += [(here[name], first) for name in ("kind", "shape", "lower")]
    templates += [(here["shape"], here["last3"]), (here["shape"], here["last2"])]
    templates.append((here["kind"], here["last4"]))
    for near in (before, after):
        templates += [(near[name],) for name in ("lower", "last2", "last3", "shape", "first4")]
        templates += [(near["lower"], here[name]) for name in ("lower", "last2", "kind")]
        templates += [(near[name], here[name]) for name in ("last3", "shape")]
        templates.append((near["last2"], here["lower"]))
    for far in (before2, after2):
        templates += [(far[name],) for name in ("lower", "last3", "shape")]
    templates += [
        (before2["lower"], before["lower"]),
        (after["lower"], after2["lower"]),
        (before["lower"], after["lower"]),
        (before["last2"], after["last2"]),
        (before["lower"], here["lower"], after["lower"]),
        (before["last3"], here["last2"], after["last3"]),
        (before2["lower"], before["lower"], here["last2"]),
        (after["lower"], after2["lower"], here["last2"]),
    ]
    return stacked([mix(k + 1, *parts) for k, parts in enumerate(templates)])


def _named(codes: Codes) -> dict[str, Codes]:
    return {name: codes[:, k] for k, name in enumerate(NAMES)}
