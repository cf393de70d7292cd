"""The ARCADE measures: precision, recall and F of alignments at four granularities.

ARCADE was an evaluation exercise for alignment systems (Langlais, Simard and Véronis 1998;
Véronis and Langlais 2000). An alignment is a set of bisegments; a system's alignment A is held
against a reference alignment Ar:

    recall = |A n Ar| / |Ar|      precision = |A n Ar| / |A|      F = 2 |A n Ar| / (|A| + |Ar|)

What is counted depends on the granularity:

- *alignment*: the bisegments, as pairs of sets. One that is off by a sentence is wrong.
- *sentence*: the pairs of sentences (s, t) that some bisegment holds, each counted once.
- *word*, *character*: the same pairs, each weighing |s| x |t| in words or characters, so that an
  error on a long sentence weighs more. White space inside a segment counts as characters.

Beside them stand the measures of papers on sentence aligners (Sennrich and Volk 2010; Thompson
and Koehn 2019): *strict* and *lax*. Precision is over all proposed bisegments. Recall leaves out
bisegments with an empty side, on both sides. A strict hit equals a gold bisegment; a lax hit
overlaps one on both sides, or equals one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import numpy as np

from bitext.errors import InputError, OptionError
from bitext.metrics.comparison import MEASURES, Comparison, Weigher, compare_many
from bitext.metrics.registry import metric
from bitext.model import Counts
from bitext.notebooks import InNotebooks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from bitext.metrics.units import Counter
    from bitext.model import Alignment, Bitext

__all__ = ["ArcadeScores", "arcade", "counts_of"]


class _LackingError(InputError, KeyError):
    """A measure that cannot be had: `get` of a mapping goes by `KeyError`."""

    __str__ = InputError.__str__  # that of KeyError has quotation marks around it


class _UnknownError(OptionError, KeyError):
    """A measure that there is not."""

    __str__ = OptionError.__str__


class ArcadeScores(Mapping[str, Counts], InNotebooks):
    """The counts of one text by measure: the four granularities, `strict` and `lax`.

    Iterating gives the measures that can be had; asking for `word` or `character` where a text is
    not known raises an `InputError` that says which, and for what is no measure an `OptionError`.
    Both are a `KeyError`, too: `get` gives `None`, or what it is given.
    """

    def __init__(self, comparison: Comparison) -> None:
        self.comparison = comparison
        self._known: dict[str, Counts] = {}

    def __getitem__(self, measure: str) -> Counts:
        if measure not in self._known:
            try:
                self._known[measure] = counts_of(self.comparison, measure)
            except InputError as error:
                raise _LackingError(str(error)) from None
            except OptionError as error:
                raise _UnknownError(str(error)) from None
        return self._known[measure]

    def __contains__(self, measure: object) -> bool:
        return measure in MEASURES and not self.comparison.lacking(str(measure))

    def __iter__(self) -> Iterator[str]:
        return (measure for measure in MEASURES if measure in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        figures = ", ".join(f"{m}: {self[m].f1:.4f}" for m in self)
        return f"<ArcadeScores F {figures}>"


def counts_of(comparison: Comparison, measure: str) -> Counts:
    """Return the counts of one measure; errors as of `Comparison.tally`."""
    hits, proposed, expected, found = (_total(v) for _, v in comparison.tally(measure))
    return Counts(hits, proposed, expected, found)


def _total(values: NDArray[np.int64]) -> int:
    """Sum exactly, also where 64 bits do not hold the sum."""
    if values.sum(dtype=np.float64) < 2.0**62:
        return int(values.sum())
    return int(sum(values.tolist()))


def _arcade_many(
    golds: Sequence[Bitext | Alignment],
    hyps: Sequence[Bitext | Alignment],
    *,
    words: Counter = "space",
    characters: Counter = "codepoint",
    min_matched: float = 0.9,
) -> list[ArcadeScores]:
    weigher = Weigher(words, characters)
    compared = compare_many(golds, hyps, weigher=weigher, min_matched=min_matched)
    return [ArcadeScores(comparison) for comparison in compared]


@metric(
    "arcade",
    over="alignment",
    better="higher",
    source="Véronis and Langlais 2000; strict and lax: Thompson and Koehn 2019",
    many=_arcade_many,
    measures=MEASURES,
)
def arcade(
    gold: Bitext | Alignment,
    hyp: Bitext | Alignment,
    *,
    words: Counter = "space",
    characters: Counter = "codepoint",
    min_matched: float = 0.9,
) -> ArcadeScores:
    """Precision, recall and F at alignment, sentence, word and character granularity.

    All of them are between 0 and 1, and 1 is best. Cost is linear in the memberships (the sum of
    the sizes of all sides of all bisegments), whatever the size of one bisegment.

    Parameters
    ----------
    gold, hyp : Bitext or Alignment
        The reference and what is scored. They may name segments by position or identifier, and may
        go over different segmentations of the same two texts, which are then compared on
        the pieces that both make (`bitext.metrics.common_ground`). An alignment by itself has no
        texts,
        and so no word and character granularity.
    words : str or callable
        How words are counted: `space` (maximal runs of non-space), `unicode`, `treebank`, or a
        function of the characters of a segment.
    characters : str or callable
        How characters are counted: `codepoint`, `grapheme`, or a function.
    min_matched : float
        The least share of characters that texts of gold and hyp must have in common.

    Returns
    -------
    ArcadeScores
        `Counts` by measure. Of two empty alignments every ratio is `nan`: 0/0.

    Raises
    ------
    InputError
        When the two have no common ground, or texts are missing for the granularity asked for; when
        a function counts so much that the pairs of a source segment weigh 2^63 or more.
    OptionError
        When a counter is not known.

    Notes
    -----
    **Source**: J. Véronis and P. Langlais, Evaluation of parallel text alignment systems: the
    ARCADE project, in Parallel Text Processing, 2000. Strict and lax: B. Thompson and P. Koehn,
    Vecalign, EMNLP 2019.

    **Departures**: bisegments with an empty side count at alignment level, as in the worked example
    of the ARCADE page. That page prints 11 × 6 for the last product at word level, and so 96
    proposed words, recall 0.69 and F 0.82; the sentence has 5 words, and its own 11 × 10 for the
    reference needs 5. With 11 × 5 the proposed words are 85, recall is 0.607 and F 0.756.

    Examples
    --------
    The worked example of the ARCADE page, by position:

    >>> from bitext import Alignment
    >>> gold = Alignment([((0,), (0,)), ((1,), (1, 2))])
    >>> hyp = Alignment([((0,), (0,)), ((), (1,)), ((1,), (2,))])
    >>> scores = arcade(gold, hyp)
    >>> scores["alignment"].recall, scores["alignment"].precision, scores["alignment"].f1
    (0.5, 0.3333333333333333, 0.4)
    >>> scores["sentence"].f1
    0.8

    """
    options = {"words": words, "characters": characters, "min_matched": min_matched}
    return _arcade_many([gold], [hyp], **options)[0]  # type: ignore[arg-type]
