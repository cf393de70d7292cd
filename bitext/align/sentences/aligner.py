"""Rounds of alignment: align, learn lengths, beads and words from it, align again."""

from __future__ import annotations

from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from bitext.align.sentences.bead_types import (
    abridged,
    alone_among,
    are_unequal,
    chances_of_texts,
    cut_finely,
    first_chances,
    sentence_ratio,
    starts,
    without_finer,
)
from bitext.align.sentences.cognates import cognates
from bitext.align.sentences.evidence.lengths import WORD, LengthEvidence, LengthModel
from bitext.align.sentences.evidence.punctuation import MarkEvidence, MarkModel, marks_of_texts
from bitext.align.sentences.evidence.score_cache import SHORT, HeldEvidence
from bitext.align.sentences.evidence.words import LexicalEvidence
from bitext.align.sentences.omissions import doubtful, left_out_along, undivided, worth
from bitext.align.sentences.partial_texts import abridged_of, excerpts_of, is_of_rare_kind
from bitext.align.sentences.path_choice import (
    NOTHING,
    PairPath,
    Start,
    beads_of_path,
    changed,
    lengths_of_paths,
)
from bitext.align.sentences.search import (
    best_along,
    best_and_sure,
    by_size,
    chances_along,
    sampled_along,
)
from bitext.align.sentences.search_space import space_of
from bitext.align.sentences.translation_model import BeadPoints, Families, doubting, learn_families
from bitext.align.sentences.vocabulary import Vocabulary
from bitext.align.sentences.word_links import (
    frequencies,
    join_pairs,
    links_of,
    renumbered,
    shares_of,
    without_common,
)
from bitext.align.sentences.wrong_language import misplaced_sides

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.corridor import Corridor
    from bitext.align.sentences.evidence.punctuation import SentenceMarks
    from bitext.align.sentences.options import SentenceMethod, SentenceOptions
    from bitext.align.sentences.path_choice import Evidence
    from bitext.align.sentences.search import Found
    from bitext.align.sentences.search_space import SearchSpace
    from bitext.align.sentences.texts import Each, SentencePair, Side
    from bitext.align.sentences.word_links import Links, WordPairs
    from bitext.align.sentences.wrong_language import MisplacedSides
    from bitext.kernels.bead_path import Band, BeadPath

    _Model = tuple[Hashable, object, Callable[[], Evidence]]
    _Both = tuple[NDArray[np.float64], NDArray[np.float64]]  # of the source, of the target
    Progress = Callable[[int, int], object]

__all__ = ["UNIT", "KnownPairs", "SearchedPairs", "SentenceAligner"]


# What is known of text pairs, what that says of their beads, and what is learned from paths.


UNIT = 1024.0  # what a natural logarithm of 1 is in the integers of the kernel
_LOWEST = -1e6  # of a score, as a natural logarithm
_TRUST = 500.0  # beads of other texts that tell of one, where lengths alone do: a path tells less


class KnownPairs:
    """Texts of one pair of languages with all that is known of them.

    Parameters
    ----------
    pairs : sequence of SentencePair
        With common vocabularies.
    method : SentenceMethod
    options : SentenceOptions
    given : sequence of WordPairs
        Lexicons and dictionaries, in the numbers of the vocabularies.
    more : callable, optional
        Returns further evidence of a pair by its number.
    each : callable
        Does what is done at the beginning, as `SentenceAligner.run` wants it.

    Attributes
    ----------
    chance : array of float64, shape (beads,)
        How frequent each bead is, over all texts.
    lengths : LengthModel
    lexicon : WordPairs or None
        What was learned.
    marks : MarkModel or None
        How marks go together; None where they are no evidence.
    paths : list of BeadPath
        Those that were found last, which is learned from.

    """

    def __init__(
        self,
        pairs: Sequence[SentencePair],
        method: SentenceMethod,
        options: SentenceOptions,
        *,
        given: Sequence[WordPairs] = (),
        more: Callable[[int], Sequence[Evidence]] | None = None,
        each: Each = map,
    ) -> None:
        self.pairs, self.method, self.options, self.more = list(pairs), method, options, more
        self.beads = options.kinds
        self.chance = first_chances(self.beads)
        self._own: NDArray[np.float64] | None = None  # of each text; None: nothing was learned yet
        # The text pairs that may have the beads of texts that are cut more finely; None: all.
        src, tgt = (sum(len(getattr(one, side)) for one in self.pairs) for side in ("src", "tgt"))
        all_alike = len(self.pairs) < 2 or are_unequal(tgt / max(src, 1))
        self._finely: set[int] | None = None if all_alike else set()
        sizes = self.sizes = [(self._sizes(one.src), self._sizes(one.tgt)) for one in self.pairs]
        none = np.zeros(0)
        self.lengths = LengthModel.first(
            np.concatenate([none, *(src for src, _ in sizes)]),
            np.concatenate([none, *(tgt for _, tgt in sizes)]),
            poisson=method.poisson,
            unit=1.0 if method.unit == "letters" else WORD,
        )
        self.lexicon: WordPairs | None = None
        self.paths: list[BeadPath] = []
        self._beside: Mapping[int, PairPath] = {}  # the first paths of others, which teach, too
        self._sure: dict[int, NDArray[np.float64]] = {}  # of the beads of paths, where it is known
        self._misled: set[int] = set()  # text pairs that words known before led astray
        self._spaces: dict[int, SearchSpace] = {}
        self._links: Links | None = None
        self._linked: WordPairs | None = None  # the lexicon that these have
        self._held = HeldEvidence()
        self._further: dict[int, list[Evidence]] = {}  # what `more` returned, of short texts
        self._given: list[WordPairs] = []
        self._members: list[WordPairs] = []  # what families of words taught of each of them
        if method.words and self.pairs:
            vocabularies = self.pairs[0].src.vocabulary, self.pairs[0].tgt.vocabulary
            self._frequent, self._shares = self._statistics(*vocabularies)
            known = join_pairs([*given, self._alike(*vocabularies, each=each)])
            self._given = [without_common(known, *self._shares)]
            self._families = (
                Families.among(vocabularies[0].forms),
                Families.among(vocabularies[1].forms),
            )
        self.marks: MarkModel | None = None
        self._marked = True  # whether they are looked at now
        if method.words and options.mark_weight:
            texts = [side.seen for pair in self.pairs for side in (pair.src, pair.tgt)]
            found = marks_of_texts(texts, each=each)
            self._marks = list(zip(found[::2], found[1::2], strict=True))
            self.marks = MarkModel.first(self._marks)

    @cached_property
    def misplaced(self) -> list[MisplacedSides]:
        """Which sides of the text pairs are in the language of the other side."""
        return misplaced_sides(self.pairs)

    def _alike(self, src: Vocabulary, tgt: Vocabulary, *, each: Each) -> WordPairs:
        """Return words that look or sound alike.

        Where a text is in the language of the other side, words of both languages are in both
        vocabularies, each equal to itself: so those that only such texts have are left out.
        """
        if not any(side.src or side.tgt for side in self.misplaced):
            return cognates(src, tgt, shares=self._shares, each=each)
        met = np.zeros(len(src), dtype=bool), np.zeros(len(tgt), dtype=bool)
        for pair, side in zip(self.pairs, self.misplaced, strict=True):
            if not side.src:
                met[0][pair.src.ids] = True
            if not side.tgt:
                met[1][pair.tgt.ids] = True
        some = np.flatnonzero(met[0]), np.flatnonzero(met[1])
        part = [
            Vocabulary([forms[k] for k in numbers.tolist()])
            for forms, numbers in zip((src.forms, tgt.forms), some, strict=True)
        ]
        shares = self._shares[0][some[0]], self._shares[1][some[1]]
        found = cognates(part[0], part[1], shares=shares, each=each)
        return renumbered(found, *some, sizes=(len(src), len(tgt)))

    def _statistics(self, *vocabularies: Vocabulary) -> tuple[_Both, _Both]:
        """Return how frequent each word of both sides is, and the share of sentences with it."""
        src, tgt = [pair.src for pair in self.pairs], [pair.tgt for pair in self.pairs]
        number = len(vocabularies[0]), len(vocabularies[1])
        return (
            (frequencies(src, number[0]), frequencies(tgt, number[1])),
            (shares_of(src, number[0]), shares_of(tgt, number[1])),
        )

    def _sizes(self, side: Side) -> NDArray[np.float64]:
        if self.method.unit == "letters":
            return side.letters
        return np.maximum(side.words, 1).astype(np.float64)

    def _begin_round(self) -> None:
        if not (self.method.words and self.pairs):
            return
        if self._links is not None and self._linked is self.lexicon:
            return  # nothing was learned since
        self._held.clear()
        learned = [] if self.lexicon is None else [self.lexicon]
        self._links = links_of(
            join_pairs([*self._given, *learned, *self._members]), *self._frequent
        )
        self._linked = self.lexicon

    def evidence(self, k: int) -> list[Evidence]:
        """Return what is known of text pair k: lengths first, then marks and words."""
        made = [make() for _, _, make in self._models(k)]
        return made if self.more is None else [*made, *self.more(k)]

    def _models(self, k: int) -> list[_Model]:
        """Return the models of text pair k, and what makes evidence of each, but for `more`."""
        (src, tgt), beads, options = self.sizes[k], self.beads, self.options
        space = self._spaces.get(k) if self._own is None else None
        lengths = self.lengths if space is None else space.lengths(self.lengths, src, tgt)
        # Lengths go together in the same way by each model that is equal.
        found: list[_Model] = [
            (lengths, lengths, partial(LengthEvidence, beads, src, tgt, lengths))
        ]
        if (marks := self.marks) is not None and self._marked:
            weight, both = options.mark_weight, self._marks[k]
            make = partial(MarkEvidence, beads, both, marks, weight=weight)
            found.append((id(marks), marks, make))
        if (links := self._links) is not None:
            weight, pair = options.word_weight, self.pairs[k]
            words = partial(LexicalEvidence, beads, pair, links, weight=weight)
            found.append((id(links), links, words))
        return found

    def _heard(self, k: int) -> list[Evidence]:
        """Return evidence of text pair k as `evidence` does; of short texts what it said is kept.

        Blocks of it are read-only.
        """
        if (len(self.pairs[k].src) + 1) * (len(self.pairs[k].tgt) + 1) > SHORT:
            return self.evidence(k)
        found = [self._held.of((k, name), model, make) for name, model, make in self._models(k)]
        if self.more is not None:
            if k not in self._further:
                self._further[k] = list(self.more(k))
            found += [
                self._held.of((k, id(one)), one, partial(_itself, one)) for one in self._further[k]
            ]
        return found

    def chance_in(self, k: int) -> NDArray[np.float64]:
        """Return how frequent each bead is in text pair k: by its path and those of the others."""
        chance = self.chance if self._own is None else self._own[k]
        alike = self._finely is not None and k not in self._finely
        return without_finer(self.beads, chance) if alike else chance

    def _marks_of(self, k: int) -> tuple[SentenceMarks, SentenceMarks] | None:
        return None if self.marks is None else self._marks[k]

    def scores(
        self, k: int, *, omissions: bool = True
    ) -> Callable[[int, int, Band], NDArray[np.int64]]:
        """Return the scores of the beads of text pair k, as the kernel wants them.

        Without omissions, beads are as frequent everywhere.
        """
        evidence, space, chance = self._heard(k), self.space(k), self.chance_in(k)
        # Joined once: what is known of all sentences is long.
        left_out = space.left_out if omissions else None
        space = space._replace(omissions=left_out, passages=None)
        prior = np.log(chance).astype(np.float32)[:, None, None]

        def score(first: int, last: int, band: Band) -> NDArray[np.int64]:
            total: NDArray[np.float32] = evidence[0].block(first, last, band) + prior
            for one in evidence[1:]:
                total += one.block(first, last, band)
            total += space.block(self.beads, chance, first, last, band)
            np.maximum(total, _LOWEST, out=total)
            total *= UNIT
            return np.rint(total, out=total).astype(np.int64)

        return score

    def space(self, k: int) -> SearchSpace:
        """Return where the path of text pair k may run, by its anchors and paragraphs."""
        if k not in self._spaces:
            self._spaces[k] = space_of(self.pairs[k], self._given, marks=self._marks_of(k))
        return self._spaces[k]

    def _learn(self) -> None:
        self._learn_beads()
        self.learn_marks()
        self.learn_words()

    def _learn_beads(self) -> None:
        """Learn how frequent beads are, and how lengths go together."""
        counts = np.empty((len(self.paths), len(self.beads)))
        for k in range(len(counts)):
            counts[k] = self.beads_of(k)
        self.chance, self._own = chances_of_texts(self.beads, counts, trust=self._trust)
        self.lengths = lengths_of_paths(self.lengths, zip(self.paths, self.sizes, strict=True))

    @property
    def _trust(self) -> float:
        """How many beads of other texts, at most, tell of one how frequent beads are there."""
        return 0.0 if self.method.words else _TRUST

    def beads_of(self, k: int) -> NDArray[np.float64]:
        """Return how many beads of each kind the path of text pair k has, as `beads_of_path`."""
        path = self.paths[k]
        passages = self.space(k).left_out if len(path.kinds) else None
        return beads_of_path(self.beads, path, passages)

    def learn_marks(self) -> None:
        """Learn how marks go together from the paths that were found last."""
        if self.marks is not None:
            points = [BeadPoints(path.row, path.column) for path in self.paths]
            self.marks = self.marks.learned(self._marks, points)

    def learn_words(self) -> None:
        """Learn the lexicon from the paths that were found last."""
        if self.method.words and self.pairs:
            points = [BeadPoints(path.row, path.column) for path in self.paths]
            options = self.options
            self.lexicon, members = learn_families(
                self.pairs,
                points,
                self._given[0],
                self._families,
                self._frequent,
                shares=self._shares,
                discount=doubting(options.discount, alone_among(self.beads, self.chance)),
                steps=options.steps,
            )
            self._members = [members]


def _itself(evidence: Evidence) -> Evidence:
    return evidence


# Text pairs and where their paths are looked for; a path and how sure its beads are.

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
