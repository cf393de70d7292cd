"""Groups of node features that join labels of neighbouring sentences: a linear model needs them.

That a paragraph begins between two sentences shows in both together: a narrator's sentence and then
one that opens a quotation, and not in either alone. Their vocabularies are those of the training
text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.segment.columns import Column, Labels, binned, cross, shifted
from bitext.segment.node_features import (
    ends,
    final_punctuation,
    first_word,
    quote_marks,
    shape,
    speech,
)
from bitext.segment.sentence_forms import sentence_forms

if TYPE_CHECKING:
    from collections.abc import Callable

    from bitext.segment.text_view import TextView

__all__ = [
    "ends_joined",
    "first_words_joined",
    "form_lengths",
    "forms_joined",
    "marks_joined",
    "speech_joined",
]

_LENGTHS = (1, 2, 3, 4, 6, 8, 11, 15, 20, 28, 40, 60)


def _labels(view: TextView, group: Callable[[TextView], list[Column]]) -> list[Labels]:
    """Return the columns of a group that consists of labels, found once a text."""
    return [column for column in view.once(group) if isinstance(column, Labels)]


def _form(view: TextView) -> Labels:
    return view.once(sentence_forms)


def forms_joined(view: TextView) -> list[Column]:
    """Return pairs and triples of neighbouring forms."""
    here = _form(view)
    before, behind, second = shifted(here, -1), shifted(here, 1), shifted(here, -2)
    pair = cross(before, here, name="form[-1]×form")
    return [
        pair,
        cross(here, behind, name="form×form[1]"),
        cross(second, before),
        cross(pair, behind),
        cross(second, pair),
    ]


def form_lengths(view: TextView) -> list[Column]:
    """Return the forms of the sentence before and of this, with the length of one of them."""
    here = _form(view)
    pair = cross(shifted(here, -1), here)
    size = binned("length", view.words, _LENGTHS)
    told = binned("narration", view.words - view.spoken, _LENGTHS)
    return [
        cross(pair, size),
        cross(pair, shifted(size, -1)),
        cross(pair, shifted(told, -1)),
    ]


def first_words_joined(view: TextView) -> list[Column]:
    """Return the first word with the forms, the marks and the first words of the neighbours."""
    here = _form(view)
    (first,) = _labels(view, first_word)
    beginning, _, depth, *_ = _labels(view, quote_marks)
    return [
        cross(first, here),
        cross(first, shifted(here, -1)),
        cross(first, shifted(here, -1), here),
        cross(first, beginning, depth),
        cross(shifted(first, -1), first),
        cross(first, shifted(first, 1)),
    ]


def ends_joined(view: TextView) -> list[Column]:
    """Return the signs at the end of the sentence before with the beginning of this one."""
    here = _form(view)
    end, begin = _labels(view, ends)
    (first,) = _labels(view, first_word)
    before = shifted(end, -1)
    return [
        cross(before, here),
        cross(before, begin, end),
        cross(before, first),
        cross(shifted(end, -2), before, begin),
    ]


def speech_joined(view: TextView) -> list[Column]:
    """Return the words behind the last quotation of the sentence before with the form of this."""
    here = _form(view)
    return [cross(shifted(words, -1), here) for words in _labels(view, speech)]


def marks_joined(view: TextView) -> list[Column]:
    """Return how the sentence before ends with how this one begins, whatever the signs.

    The last sign and the quotation mark there; the mark, the first word's shape and the quotations
    open here.
    """
    beginning, close, depth, *_ = _labels(view, quote_marks)
    (ending,) = _labels(view, final_punctuation)
    (form,) = _labels(view, shape)
    before = cross(shifted(ending, -1), shifted(close, -1))
    here = cross(beginning, form, depth)
    return [cross(shifted(close, -1), beginning, depth), cross(before, here)]
