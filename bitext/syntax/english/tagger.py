"""Tags of words: a linear-chain model over words, suffixes, shapes and neighbours.

The weights of the features of a word score its tags, and one weight for each pair of tags scores
the transition. Viterbi's algorithm gives the most probable sequence of tags.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from bitext.kernels.compiled_charts import chart_kernels
from bitext.syntax.english.features import NAMES, Table, Templates, word_codes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Codes = NDArray[np.uint64]

_MARK_TAGS = frozenset([",", ".", ":", "``", "''"])  # tags of words without a letter or digit
_NEVER = -1e6


class Tagger:
    """A tagger with the packed weights of a model.

    Parameters
    ----------
    packed : mapping of str to array
        The arrays of the model.

    """

    def __init__(self, packed: Mapping[str, NDArray[np.generic]]) -> None:
        self.tags = tuple(str(tag) for tag in packed["tagger_tags"])
        self.following: Floats = packed["tagger_following"].astype(np.float32)
        self._table = Table(packed, "tagger")
        self._signs = [k for k, tag in enumerate(self.tags) if tag in _MARK_TAGS]

    def tag(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """Return the tags of each sentence; no sentence may be empty."""
        scores = self._table.sums(tag_templates(sentences)) * self._table.scale
        spoken = [any(map(str.isalnum, word)) for sentence in sentences for word in sentence]
        scores[np.ix_(spoken, self._signs)] = _NEVER
        begin = np.cumsum([0, *map(len, sentences)])
        if (kernels := chart_kernels.after(0)) is None:
            found = [k for a, b in pairwise(begin) for k in best_row(scores[a:b], self.following)]
        else:
            best = np.empty(len(scores), dtype=np.int64)
            between = np.ascontiguousarray(self.following[:-1].T)
            kernels.best_tags(scores, between, self.following[-1], begin, best)
            found = best.tolist()
        return [[self.tags[k] for k in found[a:b]] for a, b in pairwise(begin.tolist())]


def best_row(scores: Floats, following: Floats) -> list[int]:
    """Return the best tag sequence; ties go to the earlier tags, from the end.

    Parameters
    ----------
    scores : array of float
        The score of each tag for each word, [word, tag].
    following : array of float
        The score of each transition, [previous tag, tag]; the last row is for the first word.

    """
    between = np.ascontiguousarray(following[:-1].T)  # [tag, previous tag]
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
    """Return the hashes of the features of each word, with sentences concatenated."""
    return tag_templates(sentences).hashes()


def tag_templates(sentences: Sequence[Sequence[str]]) -> Templates:
    """Return the features of each word, with sentences concatenated."""
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
    out = Templates(0)
    for parts in templates:
        out.add(*parts)
    return out


def _named(codes: Codes) -> dict[str, Codes]:
    return {name: codes[:, k] for k, name in enumerate(NAMES)}
