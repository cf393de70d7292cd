"""Two baselines: the rule of quotation marks, and the more frequent answer."""

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

    The rule has no parameters, and reads the sentences instead of their features. Opening and
    closing marks are inferred from the text (`bitext.segment.punctuation`). Full stops and brackets
    may follow a closing mark. Marks of a quotation inside another one are ignored, since they do
    not change the speaker.

    Examples
    --------
    >>> import numpy as np
    >>> from bitext.segment.features.text import NodeRows, TextFeatures
    >>> bare = NodeRows(np.zeros(5, dtype=np.int64), np.zeros(0, dtype=np.int64), np.zeros(0))
    >>> story = ["He came in.", "“Good evening.", "I am late.”", "We sat down."]
    >>> QuoteRule().boundaries(TextFeatures(bare, [], 30), text=story).tolist()
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
        """Learn nothing; raise the errors of `Method.fit`."""
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
            When `text` is missing, or the numbers of sentences and of feature rows differ.

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
        """Return empty parts: the rule has no parameters."""
        return {}, {}

    @classmethod
    def from_parts(cls, header: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Return a new rule; both arguments are ignored."""
        del header, arrays
        return cls()


class Majority(Method):
    """Break before every sentence if most training sentences start a paragraph, otherwise nowhere.

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
        """Count breaks in the training texts; raise the errors of `Method.fit`."""
        del texts
        self.breaks = decisions(features, golds).majority
        return self

    def boundaries(
        self, features: TextFeatures, *, text: Sentences | None = None
    ) -> NDArray[np.int64]:
        """Return the starts of the paragraphs: sentence 0 alone, or all sentences."""
        del text
        return starts_of(np.full(features.n, self.breaks))

    def to_parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """Return the learned answer in the header, and no arrays."""
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
