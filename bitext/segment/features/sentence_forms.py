"""The form of a sentence: how narration and quotation take turns in it.

A form is spelt in letters: `Q` for a run of words in quotation and `N` for one outside, in order
and at most seven; before them `I` when a quotation is open where the sentence begins, or `R` when
one is open and the sentence opens it again, as a speech does in each new paragraph; and `>` behind
them when one is open at the end. Inner quotations are not told apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from bitext.segment.features.columns import Labels
from bitext.segment.punctuation import Beginning

if TYPE_CHECKING:
    from bitext.segment.features.text import TextView

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bitext.segment.features.text import TextView

__all__ = ["sentence_forms"]


def sentence_forms(view: TextView) -> Labels:
    """Return the form of each sentence.

    Examples
    --------
    >>> from bitext.segment.features.text import TextView
    >>> view = TextView(["“Well,” he said, “go", "on.", "Now.”", "I went."], 30)
    >>> found = sentence_forms(view)
    >>> [found.forms[k] for k in found.codes]
    ['QNQ>', 'IQ>', 'IQ', 'N']

    """
    tokens, marks, spoken = view.tokens, view.marks, view.word_spoken
    sentence = tokens.sentence_of
    begins = np.ones(len(spoken), dtype=np.bool_)
    begins[1:] = (spoken[1:] != spoken[:-1]) | (sentence[1:] != sentence[:-1])
    runs = np.flatnonzero(begins)
    of_run = sentence[runs]
    first = np.searchsorted(of_run, np.arange(view.n))
    place = np.arange(len(runs)) - first[of_run]
    kept = place < _MOST_RUNS
    digits = (np.where(spoken[runs], 1, 2) * 3 ** place.clip(max=_MOST_RUNS))[kept]
    code = np.bincount(of_run[kept], digits, minlength=view.n).astype(np.int64)
    prefix = (marks.before > 0).astype(np.int64)
    prefix[(prefix > 0) & (marks.beginning == Beginning.AGAIN)] = 2
    code = (code * len(_PREFIXES) + prefix) * 2 + (marks.after > 0)
    known, codes = np.unique(code, return_inverse=True)
    return Labels("form", codes.astype(np.int64), [_spell(k) for k in known.tolist()])


# The form of a sentence: how narration and quotation take turns in it.
#
# A form is spelt in letters: `Q` for a run of words in quotation and `N` for one outside, in order
# and at most seven; before them `I` when a quotation is open where the sentence begins, or `R`
# when one is open and the sentence opens it again, as a speech does in each new paragraph; and `>`
# behind them when one is open at the end. Inner quotations are not told apart.

_MOST_RUNS = 7
_PREFIXES = ("", "I", "R")


def _spell(code: int) -> str:
    rest, still_open = divmod(code, 2)
    rest, prefix = divmod(rest, len(_PREFIXES))
    letters = ""
    while rest:
        rest, letter = divmod(rest, 3)
        letters += "?QN"[letter]
    return _PREFIXES[prefix] + letters + (">" if still_open else "")
