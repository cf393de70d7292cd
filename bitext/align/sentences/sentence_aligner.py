"""Rounds of alignment: align, learn lengths, beads and words from it, align again."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.align.sentences.bead_types import abridged, cut_finely, first_chances, starts
from bitext.align.sentences.excerpts import abridged_of, excerpts_of, is_of_rare_kind
from bitext.align.sentences.known_pairs import UNIT
from bitext.align.sentences.pair_paths import NOTHING, PairPath, Start, changed
from bitext.align.sentences.passages import worth
from bitext.align.sentences.search_spaces import space_of
from bitext.align.sentences.searched_pairs import SearchedPairs
from bitext.align.sentences.text_sizes import are_unequal, sentence_ratio

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.search_spaces import SearchSpace
    from bitext.align.sentences.sentence_pair import Each
    from bitext.kernels.bead_path import BeadPath

    Progress = Callable[[int, int], object]

__all__ = ["SentenceAligner"]

_COMPARED = 2_000  # sentences that are aligned to find where to start from
_UNSETTLED, _MORE = 0.1, 5  # of the beads that change, and rounds that there are more for it
_TELLING = -0.75  # that each bead of an abridged text scores, as a natural logarithm, at least
_TRUSTED = 2.0  # that each bead scores on average where few anchors led to the right path


class SentenceAligner(SearchedPairs):
    """Texts of one pair of languages that are aligned together.

    Parameters
    ----------
    pairs, method, options, given, more, each
        As in `KnownPairs`.

    Attributes
    ----------
    paths : list of BeadPath
        Of the last round.

    """

    def run(self, *, progress: Progress | None = None, each: Each = map) -> None:
        """Align in rounds; an aligner runs once.

        Where words are learned and paths still change in more than a tenth of their beads before
        the last round, there are more: up to 5.

        Parameters
        ----------
        progress : callable, optional
            Called with the texts that are done, and all to do; these become more with the rounds.
        each : callable
            Does the work of a round for each text pair, as `map` does: called with a function of
            a number, and the numbers, those that take longest first. What that returns can be
            pickled, so the work can be done in processes that are forked when `each` is called.
            Of long text pairs parts are done so, one pair after another.

        """
        rounds, pairs = self.options.rounds, range(len(self.pairs))
        # In one round nothing is chosen, but what texts of a rare kind want.
        chosen = rounds > 1 or any(map(self._is_odd, pairs))
        begun = self._begin(each) if chosen else {}
        number = 0
        while number < rounds:
            self._begin_round()
            last = number == rounds - 1
            paths: dict[int, BeadPath] = {}
            known, begun = begun, {}
            rest = self._searched([k for k in pairs if k not in known], each, last=last)
            for k, one in chain(known.items(), rest):
                paths[k], self._spaces[k] = one.path, one.space
                if one.sure is not None:
                    self._sure[k] = one.sure
                if progress is not None:
                    progress(number * len(pairs) + len(paths), rounds * len(pairs))
            before, self.paths = self.paths, [paths[k] for k in pairs]
            number += 1
            if last:
                break
            # What is not settled may yet come right by the words that are learned from it.
            more = self.method.words and rounds < self.options.rounds + _MORE
            if more and number == rounds - 1 and before:
                rounds += changed(before, self.paths) > _UNSETTLED
            self._marked = True
            self._learn()
        self._held.clear()

    def _begin(self, each: Each) -> dict[int, PairPath]:
        """Choose how frequent beads are held to be at first; return what is found with that.

        From each of the `starts`, paths are found, unless the first ones fit well; then those of
        texts that may be cut finely where others are not, excerpts or abridged, and from the best
        one without marks: in lists of abbreviations full stops agree by accident. Where all fit
        well together, this is done for those texts that do not. They are scored with what they
        teach of lengths, beads and marks: that is little to learn from thousands of beads. Words
        are left aside, as what is learned of them confirms any path.

        Of a corpus the start of some texts is that of all, but for those that may be of a rare kind
        by their sizes: each of these is looked at, from this start.
        """
        odd = [k for k in range(len(self.pairs)) if self._is_odd(k)]
        some = self._some_but(odd)
        self._begin_round()
        best = self._tried(starts(self.beads)[0], some, each)
        if best.fits(self.beads, unit=UNIT):
            best = self._with_unfit(best, each)
        else:
            best = self._chosen(best, each)
        if rest := [k for k in odd if k not in best.found]:
            self._beside = best.found
            usual = self._tried(best.chance, rest, each, marked=best.marked)
            best = best.joined(self._with_unfit(usual, each))
        self._beside = {}
        return self._taken(best)

    def _some_but(self, odd: Sequence[int]) -> list[int]:
        """Return some text pairs that are enough to compare, whatever their order is."""
        usual = sorted({*range(len(self.pairs))}.difference(odd)) or list(odd)
        usual.sort(key=lambda k: [f(side) for side in self.sizes[k] for f in (len, np.sum)])
        many = sum(len(self.pairs[k].src) for k in usual)
        return sorted(usual[:: max(1, many // _COMPARED)])

    def _with_unfit(self, start: Start, each: Each) -> Start:
        """Return a start with what is chosen for those of its text pairs that do not fit."""
        unfit = [k for k in start.found if not start.of([k]).fits(self.beads, unit=UNIT)]
        if not unfit:
            return start
        self._beside = {**self._beside, **start.found}
        return start.joined(self._chosen(start.of(unfit), each))

    def _chosen(self, usual: Start, each: Each) -> Start:
        """Return the best start of some text pairs, of which the usual one does not fit well."""
        some = list(usual.found)
        best = self._without_anchors(usual, some, each)
        others = starts(self.beads, self._many(some))[1:]
        best = best.or_better([self._tried(one, some, each) for one in others], unit=UNIT)
        # What is cut more finely is among the others where there is but one text.
        best = self._of_rare_kinds(best, each, finer=len(self.pairs) > 1)
        if self.marks is not None:
            plain = self._tried(best.chance, some, each, marked=False)
            best = best.or_better([plain], unit=UNIT)
        return best

    def _taken(self, start: Start) -> dict[int, PairPath]:
        """Begin from a start: return those of its paths that the first round need not find anew."""
        self.chance, self._marked = start.chance, start.marked
        self._spaces |= {k: one.space for k, one in start.found.items()}
        # Of long texts more is looked at to learn from than to compare.
        return {k: one for k, one in start.found.items() if (one.path.kinds >= 0).all()}

    def _many(self, some: Sequence[int]) -> float:
        """Return the target sentences for one of the source, but for what is left out if known."""
        models = [self.space(k).model for k in some]
        if finer := [one.many for one in models if one is not None and one.is_finer]:
            return float(np.median(finer))
        src = sum(len(self.pairs[k].src) for k in some)
        tgt = sum(len(self.pairs[k].tgt) for k in some)
        return sentence_ratio(src, tgt, lambda: self.lengths.ratio)

    def _tried(
        self, chance: NDArray[np.float64], some: Sequence[int], each: Each, *, marked: bool = True
    ) -> Start:
        """Find the first paths of some text pairs, with beads as frequent as `chance` says.

        They are found with marks or without, and scored with what they teach, and others beside.
        """
        self.chance, self._marked = chance, marked
        self._spaces = {k: space._replace(passages=None) for k, space in self._spaces.items()}
        found = dict(self._searched(some, each, last=False, rows=_COMPARED))
        self._spaces = {k: one.space for k, one in found.items()}
        return self._scored(chance, found, marked=marked)

    def _scored(
        self, chance: NDArray[np.float64], found: Mapping[int, PairPath], *, marked: bool
    ) -> Start:
        """Return paths with their scores: with what they teach, and others beside."""
        first = self.lengths, self.marks, self._own
        self.chance = chance
        self._spaces |= {k: one.space for k, one in found.items()}
        held = {**self._beside, **found}
        self.paths = [held[k].path if k in held else NOTHING for k in range(len(self.pairs))]
        self._marked = True
        self._learn_beads()
        self.learn_marks()
        worths = {}
        for k, one in found.items():
            scores = self.scores(k, omissions=False)
            how: dict[str, Any] = {"chance": self.chance_in(k), "expected": one.space.expected}
            worths[k] = worth(self.beads, scores, one.path, unit=UNIT, **how)
        self.lengths, self.marks, self._own = first
        self.paths = []
        return Start(chance, found, worths, marked)

    def _without_anchors(self, start: Start, some: Sequence[int], each: Each) -> Start:
        """Return a start that does not fit, without anchors where these led it astray.

        That a few words make anchors may be an accident, as when the pages of both texts have their
        own numbers. So few anchors are left out, and the paths that are better so are taken. Where
        beads fit anchors are no accident, and without them all of the table would be searched.
        """
        doubtful = [
            k
            for k, one in start.found.items()
            if one.space.hangs_on_few and start.scores[k] < _TRUSTED * UNIT * one.beads
        ]
        if not doubtful:
            return start
        for k in doubtful:
            self._spaces[k] = space_of(self.pairs[k], marks=self._marks_of(k))
        better = start.with_better(self._tried(start.chance, some, each), unit=UNIT)
        self._spaces |= {k: one.space for k, one in better.found.items()}
        self._misled |= {k for k in doubtful if not better.found[k].space.tied}
        return better

    def _as_excerpts(self, start: Start, each: Each) -> Start:
        """Return a start with the paths of texts as excerpts, where these are better."""
        excerpts = [
            (k, excerpts_of(self.pairs[k], self._spaces[k], self._marks_of(k))) for k in start.found
        ]
        for number in (0, 1):
            here = {k: found[number] for k, found in excerpts if number < len(found)}
            leads = {k: one.lead for k, one in here.items()}
            for chance in starts(self.beads) if here else []:
                self._spaces |= {k: one.space for k, one in here.items()}
                other = self._tried(chance, list(here), each)
                start = start.with_better(other, unit=UNIT, leads=leads)
        self._spaces |= {k: one.space for k, one in start.found.items()}
        return start

    def _of_rare_kinds(self, start: Start, each: Each, *, finer: bool = True) -> Start:
        """Return a start with the paths of texts of rare kinds as such, where these are better."""
        start = self._as_finer(start, each) if finer else start
        return self._as_abridged(self._as_excerpts(start, each), each)

    def _as_finer(self, start: Start, each: Each) -> Start:
        """Return a start with the paths of texts as cut more finely, where these are better."""
        here = [k for k in start.found if are_unequal(self._ratio(k))]
        spaces = {k: start.found[k].space for k in here}
        if self._finely is None:
            return self._as_rare(start, spaces, partial(cut_finely, self.beads), each)
        if not here:
            return start
        others = self._finely.difference(start.found)
        self._finely = others.union(here)
        # A list or two in a sentence are no reason to hold all of a text to be cut finely: where
        # paths are compared, the usual one may have large beads, too.
        usual = self._scored(start.chance, start.found, marked=start.marked)
        found = self._as_rare(usual, spaces, partial(cut_finely, self.beads), each)
        self._finely = others.union(k for k in here if found.found[k] is not start.found[k])
        # Where none is cut so, what was there first scores as it did.
        return found.joined(start.of([k for k in start.found if k not in self._finely]))

    def _as_abridged(self, start: Start, each: Each) -> Start:
        """Return a start with the paths of abridged texts as such, where these are better."""
        found = {
            k: abridged_of(self.pairs[k], self._spaces[k], self._marks_of(k)) for k in start.found
        }
        spaces = {k: space for k, space in found.items() if space is not None}
        # Where so much may be left alone, some of what is left fits by chance.
        return self._as_rare(start, spaces, partial(abridged, self.beads), each, least=_TELLING)

    def _as_rare(
        self,
        start: Start,
        spaces: Mapping[int, SearchSpace],
        chances: Callable[[NDArray[np.float64], float], NDArray[np.float64]],
        each: Each,
        *,
        least: float | None = None,
    ) -> Start:
        """Return a start with the paths of texts of a rare kind in some spaces, where better.

        Beads are as frequent as `chances` makes of what is usual, for so many target sentences for
        one of the source: the median of texts of which the source has more, or of the others.
        """
        for fewer in (True, False):
            here = [k for k in spaces if (self._ratio(k) < 1.0) is fewer]
            if not here:
                continue
            self._spaces |= {k: spaces[k] for k in here}
            many = float(np.median([self._ratio(k) for k in here]))
            other = self._tried(chances(first_chances(self.beads), many), here, each)
            if least is not None:
                other = other.telling(self.beads, least=least * UNIT)
            start = start.with_better(other, unit=UNIT, leads=other.as_rare())
        self._spaces |= {k: one.space for k, one in start.found.items()}
        return start

    def _is_odd(self, k: int) -> bool:
        """Return whether text pair k may be of a rare kind, by its sizes."""
        return is_of_rare_kind(self.pairs[k]) or are_unequal(self._ratio(k))

    def _ratio(self, k: int) -> float:
        """Return how many target sentences text pair k has for one of the source."""
        return len(self.pairs[k].tgt) / max(len(self.pairs[k].src), 1)
