"""Word links of translated sentences, learned from the sentences alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.align.links.corpus import number
from bitext.align.links.training import link_scores
from bitext.errors import InputError, OptionError
from bitext.kernels.one_thread import one_thread
from bitext.model import WordLinks
from bitext.model.word_links import LinkRows

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["link_words"]

_SCORE = 0.3  # smallest score of a link


def link_words(
    src: Iterable[str | Sequence[str]],
    tgt: Iterable[str | Sequence[str]],
    *,
    min_score: float = _SCORE,
) -> WordLinks:
    """Link the words."""
    if not 0 < min_score <= 1:
        raise OptionError(f"min_score is {min_score!r}: want a number above 0, up to 1")
    words = number(src), number(tgt)
    sizes = [np.diff(side.ptr) for side in words]
    if sizes[0].size != sizes[1].size:
        raise InputError(
            f"{sizes[0].size} source sentences and {sizes[1].size} target sentences: want as many, "
            f"an empty one where a sentence has no translation"
        )
    rows = LinkRows()
    with one_thread():
        for links in link_scores(*words, at_least=min_score):
            rows.extend(links)
    joined = rows.joined() if len(rows) else WordLinks.parse([""] * sizes[0].size)
    return WordLinks(
        joined.ptr,
        joined.src,
        joined.tgt,
        confidences=joined.confidences,
        src_sizes=sizes[0],
        tgt_sizes=sizes[1],
    )
