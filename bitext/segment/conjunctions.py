"""Groups of node features that join labels of neighbouring sentences: a linear model needs them.

That a paragraph begins between two sentences shows in both together: a narrator's sentence and then
one that opens a quotation, and not in either alone. Their vocabularies are those of the training
text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bitext.segment.columns import Column, Joint, Labels, binned, cross
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


def _joint(*parts: Labels | tuple[Labels, int]) -> Joint:
    return Joint([part if isinstance(part, tuple) else (part, 0) for part in parts])


def forms_joined(view: TextView) -> list[Column]:
    """Return pairs and triples of neighbouring forms."""
    form = view.once(sentence_forms)
    return [
        _joint((form, -1), form),
        _joint(form, (form, 1)),
        _joint((form, -2), (form, -1)),
        _joint((form, -1), form, (form, 1)),
        _joint((form, -2), (form, -1), form),
    ]


def form_lengths(view: TextView) -> list[Column]:
    """Return the forms of the sentence before and of this, with the length of one of them."""
    form = view.once(sentence_forms)
    size = binned("many-words", view.words, _LENGTHS)
    told = binned("many-words-told", view.words - view.spoken, _LENGTHS)
    return [
        _joint((form, -1), form, size),
        _joint((form, -1), form, (size, -1)),
        _joint((form, -1), form, (told, -1)),
    ]


def first_words_joined(view: TextView) -> list[Column]:
    """Return the first word with the forms, the marks and the first words of the neighbours."""
    form = view.once(sentence_forms)
    (first,) = _labels(view, first_word)
    beginning, _, depth, *_ = _labels(view, quote_marks)
    return [
        _joint(first, form),
        _joint(first, (form, -1)),
        _joint(first, (form, -1), form),
        _joint(first, cross(beginning, depth)),
        _joint((first, -1), first),
        _joint(first, (first, 1)),
    ]


def ends_joined(view: TextView) -> list[Column]:
    """Return the signs at the end of the sentence before with the beginning of this one."""
    form = view.once(sentence_forms)
    end, begin = _labels(view, ends)
    (first,) = _labels(view, first_word)
    return [
        _joint((end, -1), form),
        _joint((end, -1), begin, end),
        _joint((end, -1), first),
        _joint((end, -2), (end, -1), begin),
    ]


def speech_joined(view: TextView) -> list[Column]:
    """Return the words behind the last quotation of the sentence before with the form of this."""
    form = view.once(sentence_forms)
    return [_joint((words, -1), form) for words in _labels(view, speech)]


def marks_joined(view: TextView) -> list[Column]:
    """Return how the sentence before ends with how this one begins, whatever the signs.

    The last sign and the quotation mark there; the mark, the first word's shape and the quotations
    open here.
    """
    beginning, close, depth, *_ = _labels(view, quote_marks)
    (ending,) = _labels(view, final_punctuation)
    (case,) = _labels(view, shape)
    return [
        _joint((close, -1), beginning, depth),
        _joint((cross(ending, close), -1), cross(beginning, case, depth)),
    ]
