"""The baseline that learns only which answer is more frequent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from bitext.errors import InputError
from bitext.segment.method import Method, checked_golds, decisions, sentences_of, starts_of
from bitext.segment.punctuation import Beginning, Close, punctuation
from bitext.segment.tokens import Tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from bitext.segment.features.text import TextFeatures
    from bitext.segment.method import Gold, Sentences

__all__ = ["Majority", "QuoteRule"]


# The rule of quotation marks, which is strong in fiction: speech has paragraphs of its own.


class QuoteRule(Method):
    """Break after a closing quotation mark at the end of a sentence, and before an opening one.

    It learns nothing, and looks at the sentences, not at their features. Which marks open and which
    close, the text itself tells (`bitext.segment.punctuation`). Stops and brackets behind a closing
    mark are looked through. Quotations within others are speech that somebody tells of: their marks
    do not count.

    Examples
    --------
    >>> import numpy as np
    >>> from bitext.segment.features.text import NodeRows, TextFeatures
    >>> bare = NodeRows(np.zeros(5, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
    >>> told = ["He came in.", "“Good evening.", "I am late.”", "We sat down."]
    >>> QuoteRule().boundaries(TextFeatures(bare, [], 30), text=told).tolist()
    [0, 1, 3]

    """

    name = "quotes"
    reads_text = True
    learns = False

    def fit(
        self,
        features: Sequence[TextFeatures],
        golds: Sequence[Gold],
        *,
        texts: Sequence[Sentences] | None = None,
    ) -> Self:
        """Learn nothing; raises as `Method.fit`."""
        del texts
        checked_golds(features, golds)
        return self

    def boundaries(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.int64]:
        """Return the starts of the paragraphs.

        Raises
        ------
        InputError
            When the sentences are not given, or are not as many as those with features.

        """
        if text is None:
            raise InputError("the quote rule reads the sentences: give them as text=[...]")
        sentences = sentences_of(text)
        if len(sentences) != features.n:
            raise InputError(
                f"the text has {len(sentences)} sentences and its features {features.n}: want equal"
            )
        signs = punctuation(Tokens(sentences))
        opening = (signs.beginning == Beginning.OPENING) & (signs.before == 0)
        closing = (signs.close == Close.LAST) | (signs.close == Close.BEFORE)
        breaks = opening | (signs.beginning == Beginning.AGAIN)
        breaks[1:] |= (closing & (signs.after == 0))[:-1]
        return starts_of(breaks)

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return nothing: there is nothing learned."""
        return {}, {}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make the method again."""
        del header, arrays
        return cls()


class Majority(Method):
    """Break nowhere or everywhere, as is more frequent in training; nowhere where it is even.

    Examples
    --------
    >>> from bitext.segment.features.text import NodeRows, TextFeatures
    >>> bare = NodeRows(np.zeros(5, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
    >>> four = TextFeatures(bare, [], 30)
    >>> Majority().fit([four], [np.array([0, 2])]).boundaries(four).tolist()
    [0]
    >>> Majority().fit([four], [np.array([0, 1, 3])]).boundaries(four).tolist()
    [0, 1, 2, 3]

    """

    name = "majority"

    def __init__(self) -> None:
        self.breaks = False

    def fit(
        self,
        features: Sequence[TextFeatures],
        golds: Sequence[Gold],
        *,
        texts: Sequence[Sentences] | None = None,
    ) -> Self:
        """Count the answers; raises as `Method.fit`."""
        del texts
        self.breaks = decisions(features, golds).majority
        return self

    def boundaries(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.int64]:
        """Return the starts of the paragraphs: 0, or all."""
        del text
        return starts_of(np.full(features.n, self.breaks))

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the answer; there are no arrays."""
        return {"breaks": self.breaks}, {}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Rebuild the method from the output of `to_parts`; raises as `Method.from_parts`."""
        del arrays
        if not isinstance(header.get("breaks"), bool):
            raise InputError("the model does not tell whether it breaks: train it anew")
        out = cls()
        out.breaks = header["breaks"]
        return out
