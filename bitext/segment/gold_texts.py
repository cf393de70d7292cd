"""Texts as training takes them: with the first sentences of their paragraphs, and their names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.errors import InputError
from bitext.model import Text
from bitext.segment.blocks import starts_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["as_text", "with_gold"]


def as_text(text: Text | Sequence[str]) -> Text:
    """Return a text, given as such or as its sentences."""
    return text if isinstance(text, Text) else Text(text)


def with_gold(
    texts: Sequence[Text],
) -> tuple[list[str], list[Text], list[NDArray[np.int64]]]:
    """Return the names of texts, the texts, and the first sentences of their paragraphs.

    Texts without sentences are left out.

    Raises
    ------
    InputError
        When a text has no paragraphs, or there is no sentence at all.

    """
    if isinstance(texts, Text | str):
        raise InputError("want a list of texts, not one of them alone: [text]")
    names, known, golds = [], [], []
    for k, text in enumerate(texts):
        if not isinstance(text, Text):
            raise InputError(f"text {k} is a {type(text).__name__}: want a Text with paragraphs")
        if not len(text):
            continue
        name = text.name or f"text {k}"
        if text.paragraphs is None:
            raise InputError(f"{name} has no paragraphs: want texts whose paragraphs are known")
        names.append(name)
        known.append(text)
        golds.append(starts_of(text.paragraphs, len(text), name))
    if not known:
        raise InputError("there is no sentence in the texts: want one text or more")
    return names, known, golds
