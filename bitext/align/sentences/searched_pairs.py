"""Text pairs and where their paths are looked for; a path and how sure its beads are."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.align.sentences.known_pairs import UNIT, KnownPairs
from bitext.align.sentences.long_paths import (
    best_along,
    best_and_sure,
    chances_along,
    sampled_along,
)
from bitext.align.sentences.omissions import undivided
from bitext.align.sentences.pair_paths import PairPath
from bitext.align.sentences.passages import doubtful, left_out_along
from bitext.align.sentences.search_spaces import space_of
from bitext.align.sentences.stretches import by_size
from bitext.align.sentences.word_links import join_pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.corridors import Corridor
    from bitext.align.sentences.sentence_pair import Each
    from bitext.align.sentences.stretches import Found
    from bitext.kernels.bead_path import BeadPath

__all__ = ["SearchedPairs"]

_NEAR = 8  # columns, or rows, from a path that are looked at when it is found anew
_FAR = 32  # and where there are no anchors
_LEARNED = 16_000  # sentences of a text that are aligned to learn from, where it is long
_SIDE = 4  # columns on both sides of a path that the posteriors of its beads are taken over


class SearchedPairs(KnownPairs):
    """Text pairs of which paths are found, with what is known by now.

    Parameters
    ----------
    pairs, method, options, given, more, each
        As in `KnownPairs`.

    """

    def _searched(
        self, numbers: Sequence[int], each: Each, **how: Any
    ) -> Iterator[tuple[int, PairPath]]:
        """Yield the path of each of some text pairs, those that take longest first."""
        large, others = by_size([len(pair.src) for pair in self.pairs], numbers)
        found = chain(
            (self._path(k, each=each, **how) for k in large),
            each(partial(self._path, **how), others) if others else (),
        )
        return zip([*large, *others], found, strict=True)

    def _corridor(self, k: int) -> Corridor:
        """Return what is searched for the path of text pair k, with anchors of words by now."""
        space, path = self.space(k), self.paths[k] if self.paths else None
        # What was learned makes anchors where there were none, and these may be far from the path.
        lexicon = self.lexicon if space.unsure else None
        again = path is not None
        if lexicon is not None:
            held = [] if k in self._misled else self._given
            lexicons, marks = [join_pairs([*held, lexicon])], self._marks_of(k)
            anew = space_of(self.pairs[k], lexicons, path=path, marks=marks, before=space)
            # Where there are none once more, all was searched before with words that were learned.
            again = space.searched and (anew.tied, anew.bare) == (space.tied, space.bare)
            space = anew._replace(passages=space.passages, searched=True)
            self._spaces[k] = space
        if path is None or not again or (path.kinds < 0).any():
            return space.corridor
        near = space.around(path.row, path.column, reach=_NEAR if lexicon is None else _FAR)
        return near if lexicon is None or near.cells < space.corridor.cells else space.corridor

    def _path(self, k: int, *, last: bool, rows: int = _LEARNED, each: Each = map) -> PairPath:
        corridor = self._corridor(k)
        if not last:
            path = sampled_along(self.beads, self.scores(k), corridor, rows=rows, each=each)
            return self._without_passages(k, path)
        how: dict[str, Any] = {"reach": _SIDE, "unit": UNIT * self.method.temper, "each": each}
        best = best_and_sure(self.beads, self.scores(k), corridor, **how)
        found = self._without_passages(k, best.path, best.own)
        kept = found.path is best.path
        return found._replace(sure=best.sure if kept else self.chances(k, found.path, before=best))

    def _without_passages(
        self, k: int, path: BeadPath, own: NDArray[np.int64] | None = None
    ) -> PairPath:
        """Return the path of text pair k, or where it is doubtful, one that may leave much out."""
        space = self.space(k)
        if (path.kinds < 0).any():
            return PairPath(path, None, space)
        scores = self.scores(k, omissions=False)
        # The path may have been found near that of the round before, outside of the corridor.
        near = space.around(path.row, path.column, reach=_NEAR).joined(space.corridor)
        if own is not None and space.left_out is not None:  # without what it adds
            more = space.left_out.of(self.beads, self.chance_in(k), path)
            own = own - np.rint(more * UNIT).astype(np.int64)
        stretches = doubtful(scores, path, near, own=own)
        if stretches and not self.paths and space.model is None and not space.asked:
            space = self._spaces[k] = space.with_model(self.pairs[k], self._marks_of(k))
            if space.model is not None:
                return self._without_passages(
                    k, best_along(self.beads, self.scores(k), space.corridor)
                )
        if stretches:
            walk = self.beads, scores, near, path, stretches
            how: dict[str, Any] = {"chance": self.chance_in(k), "expected": space.expected}
            found = left_out_along(*walk, unit=UNIT, **how)
            if found.omissions is not None:
                space = space._replace(passages=found.omissions)
                self._spaces[k] = space
                path = found.path
        return PairPath(path, None, space)

    def sure(self, k: int) -> NDArray[np.float64]:
        """Return how sure each bead of text pair k is, 0 to 1: its posterior near the path.

        Of a bead with an empty side, that its sentence stands alone, before or behind whatever.
        Scores are tempered, as `SentenceMethod.temper` says.
        """
        path = self.paths[k]
        if not len(path.kinds):
            return np.zeros(0)
        if k in self._sure and len(self._sure[k]) == len(path.kinds):
            return self._sure[k]
        return self.chances(k, path)

    def chances(
        self, k: int, path: BeadPath, *, temper: float | None = None, before: Found | None = None
    ) -> NDArray[np.float64]:
        """Return how sure each bead of a path of text pair k is; default: tempered as always.

        With what was found before, only beads that may have changed are asked for anew.
        """
        passages, scores = self.space(k).passages, self.scores(k)
        how: dict[str, Any] = {"rows": len(self.pairs[k].src), "columns": len(self.pairs[k].tgt)}
        how |= {"reach": _SIDE, "unit": UNIT * (temper or self.method.temper), "before": before}
        if passages is not None:
            scores = undivided(scores, self.beads, passages, unit=UNIT)
            how["anew"] = passages.alone(self.beads, path)
        return chances_along(self.beads, scores, path, **how)
