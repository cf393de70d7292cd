"""What is known of text pairs, what that says of their beads, and what is learned from paths."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from bitext.align.sentences.bead_lessons import beads_of_path, lengths_of_paths
from bitext.align.sentences.bead_types import (
    alone_among,
    chances_of_texts,
    first_chances,
    without_finer,
)
from bitext.align.sentences.cognates import cognates
from bitext.align.sentences.held_evidence import SHORT, HeldEvidence
from bitext.align.sentences.length_evidence import WORD, LengthEvidence, LengthModel
from bitext.align.sentences.lexical_evidence import LexicalEvidence
from bitext.align.sentences.lexicon_learning import doubting, learn_families
from bitext.align.sentences.mark_evidence import MarkEvidence, MarkModel
from bitext.align.sentences.search_spaces import space_of
from bitext.align.sentences.sentence_marks import marks_of_texts
from bitext.align.sentences.text_languages import misplaced_sides
from bitext.align.sentences.text_sizes import are_unequal
from bitext.align.sentences.vocabulary import Vocabulary
from bitext.align.sentences.word_families import Families
from bitext.align.sentences.word_links import (
    frequencies,
    join_pairs,
    links_of,
    renumbered,
    shares_of,
    without_common,
)
from bitext.align.sentences.words_together import BeadPoints

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.align.sentences.pair_paths import Evidence, PairPath
    from bitext.align.sentences.search_spaces import SearchSpace
    from bitext.align.sentences.sentence_marks import SentenceMarks
    from bitext.align.sentences.sentence_options import SentenceMethod, SentenceOptions
    from bitext.align.sentences.sentence_pair import Each, SentencePair, Side
    from bitext.align.sentences.text_languages import MisplacedSides
    from bitext.align.sentences.word_links import Links, WordPairs
    from bitext.kernels.bead_path import Band, BeadPath

    # What names a model, the model, and what makes evidence of it.
    _Model = tuple[Hashable, object, Callable[[], Evidence]]
    _Both = tuple[NDArray[np.float64], NDArray[np.float64]]  # of the source, of the target

__all__ = ["UNIT", "KnownPairs"]

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
