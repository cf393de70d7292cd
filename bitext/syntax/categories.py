"""The table of the CoNLL-2000 conversion: labels, and what heads a constituent of each category.

A head is a word whose tag begins with one of `HEADS`; for want of one, a constituent whose label
matches `HEAD_PHRASES`. Tags are matched as prefixes: NN stands for NN, NNS, NNP and NNPS.
"""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_uppercase

__all__ = ["EMPTY", "HEADS", "ROOTS", "UNLABELLED", "heads_by_label", "read_label"]

EMPTY = "-NONE-"  # the tag of a word that is not there
ROOTS = frozenset({"ROOT", "S1", "TOP"})
UNLABELLED = "NOLABEL"  # the category of a bracket without a label

HEADS: dict[str, tuple[str, ...]] = {
    "ADJP": ("JJ", "RB", "VB", "IN", "UH", "FW", "RP", "$", "#", "DT", "NN"),
    "ADVP": ("RB", "IN", "TO", "DT", "PDT", "JJ", "RP", "FW", "LS", "UH", "CC", "NN", "CD", "VB"),
    "CONJP": ("CC", "IN", "RB"),
    "INTJ": ("UH", "RB", "NN", "VB", "FW", "JJ"),
    "LST": ("LS", "JJ", ":"),
    "NAC": ("NN",),
    "NP": ("NN", "CD", "PRP", "JJ", "DT", "EX", "IN", "RB", "VB", "FW", "SYM", "UH", "WP", "WDT"),
    "NX": ("NN", "CD", "PRP", "JJ", "DT", "EX", "FW", "SYM", "UH", "WP", "WDT"),
    "PP": ("IN", "TO", "RB", "VBG", "VBN", "JJ", "RP", "CC", "FW"),
    "PRT": ("RP", "IN", "RB", "JJ"),
    "QP": ("CD", "DT", "NN", "JJ"),
    "SBAR": ("IN", "WDT"),
    "UCP": ("JJ", "NN", "VB", "CD"),
    "VP": ("VB", "MD", "TO", "JJ", "NN", "POS", "FW", "SYM"),
    "WHADJP": ("JJ",),
    "WHADVP": ("WRB", "IN", "RB", "WDT"),
    "WHNP": ("WDT", "WP", "CD", "DT", "IN", "NN", "JJ", "RB"),
    "WHPP": ("IN", "TO"),
    # Any word; the comma among them, whose tag the script spells COMMA.
    UNLABELLED: (*ascii_uppercase, ","),
}

HEAD_PHRASES: dict[str, str] = {
    "ADJP": "ADJP",
    "ADVP": "ADVP|.*-ADV",
    "CONJP": "CONJP",
    "FRAG": "FRAG|INTJ|S|VP",
    "INTJ": "S|VP|INTJ",
    "LST": "LST",
    "NP": "NP|NX|.*-NOM",
    "NX": "NX",
    "PP": "PP",
    "PRN": "S|VP",
    "PRT": "PRT",
    "RRC": "S|VP",
    "S": "S$|VP|.*-PRD",
    "SBAR": "S|WH",
    "SBARQ": "SBARQ|SQ|WH",
    "SINV": "SINV|VP|SBAR",
    "SQ": "VP|S|WH",
    "UCP": "[A-Z]+P(?:-[-A-Z]+)?$|S",
    "VP": "VP",
    "WHADJP": "WHADJP|ADJP",
    "WHADVP": "WHADVP",
    "WHNP": "WHNP|NP",
    "WHPP": "WHPP",
    "X": "[A-Z]+P(?:-[-A-Z]+)?$|S",
    UNLABELLED: "[A-Z]",
}

_INDEX = re.compile(r"(.+)-[0-9]+")
_GAP = re.compile(r"(.+)=[0-9]+")
_CATEGORY = re.compile(r"[A-Z]+|[^-=|]+|.+")
_PHRASES = {category: re.compile(labels) for category, labels in HEAD_PHRASES.items()}


@lru_cache(maxsize=1 << 14)
def read_label(label: str) -> tuple[str, str]:
    """Return the label of a constituent without its indices, and its category.

    The category is what the label begins with in capital letters, and where it begins otherwise,
    the label up to its function tags.

    Examples
    --------
    >>> read_label("NP-SBJ-1"), read_label("NP=2"), read_label("PRT|ADVP"), read_label("")
    (('NP-SBJ', 'NP'), ('NP', 'NP'), ('PRT|ADVP', 'PRT'), ('NOLABEL', 'NOLABEL'))

    """
    for ending in (_INDEX, _GAP):
        found = ending.fullmatch(label)
        label = found[1] if found else label
    found = _CATEGORY.match(label)
    return (label, found[0]) if found else (UNLABELLED, UNLABELLED)


@lru_cache(maxsize=1 << 14)
def heads_by_label(category: str, label: str) -> bool:
    """Tell whether a constituent can head one of a category, by its label without indices.

    Examples
    --------
    >>> heads_by_label("NP", "S-NOM"), heads_by_label("S", "SBAR"), heads_by_label("S", "NP-PRD")
    (True, False, True)

    """
    labels = _PHRASES.get(category)
    return labels is not None and labels.match(label) is not None
